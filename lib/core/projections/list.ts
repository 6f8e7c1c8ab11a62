/** An immutable list whose changes copy a chunk and not the whole: a fold can return a new one each step. */

const CHUNK = 128

export type List<T> = { readonly length: number; readonly chunks: readonly (readonly T[])[] }

export const emptyList: List<never> = { length: 0, chunks: [] }

/** The entry at an index from 0, or undefined outside. */
export const at = <T>(list: List<T>, index: number): T | undefined =>
  list.chunks[Math.floor(index / CHUNK)]?.[index % CHUNK]

/** The list with one more entry at its end. */
export function push<T>({ length, chunks }: List<T>, value: T): List<T> {
  const last = chunks.at(-1)
  const isFull = last === undefined || last.length === CHUNK
  const grown = isFull ? [...chunks, [value]] : chunks.with(-1, [...last, value])
  return { length: length + 1, chunks: grown }
}

/** The list with another entry at `index`, which it must hold. */
export const put = <T>(list: List<T>, index: number, value: T): List<T> => {
  const chunk = Math.floor(index / CHUNK)
  const entries = list.chunks[chunk]!.with(index % CHUNK, value)
  return { ...list, chunks: list.chunks.with(chunk, entries) }
}

/** All entries in order. */
export const entriesOf = <T>(list: List<T>): T[] => list.chunks.flat()
