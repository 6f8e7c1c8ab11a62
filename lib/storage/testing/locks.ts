/** Web Locks between the tabs of a test: Node has none. Exclusive locks, `ifAvailable`, `signal`, `steal`. */

type Held = { name: string; steal(): void }
type Waiting = { name: string; grant(): void }

export type TestLocks = Pick<LockManager, 'request'>

export function createLocks(): TestLocks {
  const held = new Map<string, Held>()
  let waiting: Waiting[] = []

  const next = (name: string) => {
    const first = waiting.find((entry) => entry.name === name)
    if (!first) return
    waiting = waiting.filter((entry) => entry !== first)
    first.grant()
  }

  const run = async (name: string, work: LockGrantedCallback<unknown>): Promise<unknown> => {
    const stolen = new Promise<never>((_, reject) => {
      held.set(name, {
        name,
        steal: () => reject(new DOMException('The lock was stolen.', 'AbortError')),
      })
    })
    const mine = held.get(name)
    try {
      return await Promise.race([work({ name, mode: 'exclusive' }), stolen])
    } finally {
      if (held.get(name) === mine) {
        held.delete(name)
        next(name)
      }
    }
  }

  const request = async (
    name: string,
    options: LockOptions,
    work: LockGrantedCallback<unknown>,
  ): Promise<unknown> => {
    options.signal?.throwIfAborted()
    if (options.steal) {
      held.get(name)?.steal()
      return run(name, work)
    }
    if (!held.has(name)) return run(name, work)
    if (options.ifAvailable) return work(null)
    await new Promise<void>((grant, reject) => {
      const entry = { name, grant }
      waiting.push(entry)
      options.signal?.addEventListener('abort', () => {
        waiting = waiting.filter((other) => other !== entry)
        reject(options.signal?.reason)
      })
    })
    return run(name, work)
  }
  return { request } as TestLocks
}
