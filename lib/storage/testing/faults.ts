/** Faults of the disk: what a full or failing one does to a write, put into IndexedDB itself. */

const full = () => new DOMException('disk full', 'QuotaExceededError')

/** Writes to `store` that `when` picks throw; answers what ends it. */
export function failWrites(
  store: string,
  when: (row: unknown) => boolean = () => true,
  error: () => Error = full,
): () => void {
  const { prototype } = IDBObjectStore
  const { add, put } = prototype
  const failing = (write: typeof add): typeof add =>
    function (this: IDBObjectStore, row, key) {
      if (this.name === store && when(row)) throw error()
      return key === undefined ? write.call(this, row) : write.call(this, row, key)
    }
  prototype.add = failing(add)
  prototype.put = failing(put)
  return () => Object.assign(prototype, { add, put })
}
