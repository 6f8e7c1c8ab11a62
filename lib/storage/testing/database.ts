/** Databases for tests; import `fake-indexeddb/auto` before this file, Dexie looks for IndexedDB when it loads. */

import { type Database, openDatabase } from '../db'

let made = 0

/** The name of a database no other test of the process has. */
export const freshName = (): string => {
  made += 1
  return `test-${made}`
}

/** Opens two tabs on one database. */
export async function twoTabs(): Promise<[Database, Database]> {
  const name = freshName()
  return [await openDatabase(name), await openDatabase(name)]
}
