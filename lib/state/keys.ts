/**
 * The API key a person typed: in this browser only, for this tab unless asked to remember it, and never in
 * the database, so that no export and no backup can hold it.
 */

const KEY = 'palimpsest-key'

export type KeyPlace = 'none' | 'tab' | 'browser'

type Stores = { tab: Storage; browser: Storage }
const stores = (): Stores => ({ tab: sessionStorage, browser: localStorage })

export const typedKey = ({ tab, browser } = stores()): string | null =>
  tab.getItem(KEY) ?? browser.getItem(KEY)

export function keyPlace({ tab, browser } = stores()): KeyPlace {
  if (browser.getItem(KEY) !== null) return 'browser'
  return tab.getItem(KEY) === null ? 'none' : 'tab'
}

/** Keeps a key in one place, or with null wipes it from both. */
export function keepKey(key: string | null, remember: boolean, { tab, browser } = stores()): void {
  tab.removeItem(KEY)
  browser.removeItem(KEY)
  if (key !== null) (remember ? browser : tab).setItem(KEY, key)
}
