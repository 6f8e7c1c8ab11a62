/** The store looked after: what each session keeps, and whether all of it can still be read. */

import type { CheckedAll, CheckProgress } from '../storage/check-all'
import { measureSessions } from '../storage/usage'
import type { AppContext } from './app-context'
import type { Actions } from './model'

export type ToCheckWorker = { database: string }
export type FromCheckWorker =
  | { type: 'progress'; progress: CheckProgress }
  | { type: 'done'; checked: CheckedAll }
  | { type: 'failed'; message: string }

type CareActions = Pick<Actions, 'measureStorage' | 'checkSessions' | 'stopCheck'>

export function careActions(app: AppContext): CareActions {
  let worker: Worker | null = null
  const show = app.store.setState
  const end = () => {
    worker?.terminate()
    worker = null
  }
  const fail = (message: string) => {
    end()
    show({ check: null })
    app.report('The sessions could not be checked')(new Error(message))
  }

  return {
    async measureStorage() {
      const uses = await measureSessions(app.db).catch(app.report('The sessions were not measured'))
      if (uses) show({ uses })
    },
    checkSessions() {
      end()
      show({ check: { phase: 'running', title: '', sessions: 0, of: 0, events: 0 } })
      worker = new Worker(new URL('./check.worker.ts', import.meta.url), { type: 'module' })
      worker.onmessage = ({ data }: MessageEvent<FromCheckWorker>) => {
        if (data.type === 'failed') return fail(data.message)
        if (data.type === 'progress') return show({ check: { phase: 'running', ...data.progress } })
        end()
        show({ check: { phase: 'done', ...data.checked } })
      }
      worker.onerror = (event) => fail(event.message || 'Its worker did not load.')
      worker.postMessage({ database: app.db.name } satisfies ToCheckWorker)
    },
    stopCheck() {
      end()
      show({ check: null })
    },
  }
}
