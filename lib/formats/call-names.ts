/** Ids and names of calls, unique within a session and of characters every provider takes (P2, Q4). */

const ILLEGAL = /[^a-zA-Z0-9_-]/g
const ID_LENGTH = 100
const NAME_LENGTH = 128

export const legalName = (name: string): string =>
  name.replace(ILLEGAL, '_').slice(0, NAME_LENGTH) || 'unknown'

export type CallNames = {
  /** A fresh id for a call; its own where it is legal and free. */
  take(id: string): string
  /** The newest call that had this id in the file. */
  find(id: string): string | undefined
}

export function createCallNames(): CallNames {
  const taken = new Set<string>()
  const newest = new Map<string, string>()
  const next = new Map<string, number>()
  return {
    take(id) {
      const wanted = id.replace(ILLEGAL, '_').slice(0, ID_LENGTH) || 'call'
      let unique = wanted
      for (let n = next.get(wanted) ?? 2; taken.has(unique); n += 1) {
        unique = `${wanted}_${n}`
        next.set(wanted, n + 1)
      }
      taken.add(unique)
      newest.set(id, unique)
      return unique
    },
    find: (id) => newest.get(id),
  }
}
