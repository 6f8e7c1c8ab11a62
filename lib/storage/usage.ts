/** How much this site keeps in the browser, and whether the browser may throw it away. */

export type StorageUsage = {
  /** Bytes, as the browser estimates; absent where it does not say. */
  usage?: number
  quota?: number
  /** The browser has promised not to evict the data. */
  persisted: boolean
}

type Storage = Partial<Pick<StorageManager, 'estimate' | 'persist' | 'persisted'>>

/** Never rejects: a browser that refuses to say is one that does not say. */
export async function readUsage(
  storage: Storage | undefined = globalThis.navigator?.storage,
): Promise<StorageUsage> {
  const estimate = await storage?.estimate?.().catch(() => ({}) as StorageEstimate)
  const persisted = await storage?.persisted?.().catch(() => false)
  return { usage: estimate?.usage, quota: estimate?.quota, persisted: persisted ?? false }
}

/** Asks the browser to keep the data; false when it will not promise that. */
export const persistStorage = async (
  storage: Storage | undefined = globalThis.navigator?.storage,
): Promise<boolean> => (await storage?.persist?.().catch(() => false)) ?? false
