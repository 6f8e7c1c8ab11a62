/** An immutable list whose changes copy a chunk and not the whole: a fold can return a new one each step. */

const CHUNK = 128

export type List<T> = { readonly length: number; readonly chunks: readonly (readonly T[])[] }

export const emptyList: List<never> = { length: 0, chunks: [] }

/** The entry at an index from 0, or undefined outside. */
export const at = <T>(list: List<T>, index: number): T | undefined =>
  list.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK]

/** Chunks, and lists of chunks, made in this bulk: nobody else holds them, so they change in place. */
let own: WeakSet<readonly unknown[]> | null = null

/** Runs many pushes and puts whose lists on the way nobody keeps; what it answers is a value like any. */
export function inBulk<T>(work: () => T): T {
  if (own) return work()
  own = new WeakSet()
  try {
    return work()
  } finally {
    own = null
  }
}

function kept<A extends readonly unknown[]>(made: A): A {
  own?.add(made)
  return made
}

/** Changes an owned array in place; copies any other once and owns the copy. */
function edit<T>(list: readonly T[], change: (list: T[]) => void): readonly T[] {
  const mine = own?.has(list) ? (list as T[]) : kept([...list])
  change(mine)
  return mine
}

/** The list with one more entry at its end. */
export function push<T>({ length, chunks }: List<T>, value: T): List<T> {
  const last = chunks.at(-1)
  const isFull = last === undefined || last.length === CHUNK
  const grown = edit(chunks, (all) => {
    if (isFull) all.push(kept([value]))
    else all[all.length - 1] = edit(last, (entries) => entries.push(value))
  })
  return { length: length + 1, chunks: grown }
}

/** The list with another entry at `index`, which it must hold. */
export const put = <T>(list: List<T>, index: number, value: T): List<T> => {
  const chunk = Math.floor(index / CHUNK)
  const chunks = edit(list.chunks, (all) => {
    all[chunk] = edit(all[chunk]!, (entries) => {
      entries[index % CHUNK] = value
    })
  })
  return { ...list, chunks }
}

/** All entries in order. */
export const entriesOf = <T>(list: List<T>): T[] => list.chunks.flat()
