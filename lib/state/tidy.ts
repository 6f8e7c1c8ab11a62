/** What a tab does for the whole store: when it starts, when space is freed, and when the store is gone. */

import type { Database, DatabaseEnd } from '../storage/db'
import { sweepImports } from '../storage/import'
import { sweepRaw } from '../storage/raw'
import { finishRestore } from '../storage/restore'
import { purgeTrash } from '../storage/sessions'
import type { AppContext } from './app-context'
import type { LiveSession } from './live-session'
import { TRASH_DAYS } from './session-actions'
import { unsavedOf } from './unstored'

const DAY = 86_400_000

/** Before anything is shown: a backup that was being restored is restored. Never rejects. */
export async function finishWork(
  db: Database,
  { toast, report }: Pick<AppContext, 'toast' | 'report'>,
): Promise<void> {
  const restored = await finishRestore(db).catch(report('A backup is not restored yet'))
  if (restored) toast({ tone: 'plain', title: 'Finished restoring the backup' })
}

/** After the first paint: leftovers go, and what was in the trash long enough. `now` in Unix ms. */
export async function tidyUp(db: Database, now: number): Promise<void> {
  await sweepImports(db)
  await sweepRaw(db)
  await purgeTrash(db, now - TRASH_DAYS * DAY)
}

/**
 * A write that the full disk refused is tried again whenever something was deleted for good; and before the
 * page is left while something in it is stored nowhere, the browser asks.
 */
export function watchUnsaved(db: Database, lives: () => Iterable<LiveSession>): void {
  db.feed.subscribe((change) => {
    const isFreed = change.type === 'list' && change.change === 'deleted'
    if (isFreed) for (const live of lives()) live.agent()?.resume()
  })
  addEventListener('beforeunload', (event) => {
    if ([...lives()].some((live) => unsavedOf(live).length > 0)) event.preventDefault()
  })
}

/** Why nothing can be kept any more, see `Database.onEnd`. */
const ENDS: Record<DatabaseEnd, string> = {
  'newer-version': 'A newer version of Palimpsest is open in another tab',
  deleted: 'This site’s data was deleted',
  'closed-by-browser': 'The browser closed this site’s storage',
}

export const tellEnd = (db: Database, toast: AppContext['toast']): void =>
  db.onEnd((why) =>
    toast({
      tone: 'error',
      title: ENDS[why],
      detail:
        'What was not saved yet stays on this page until it is reloaded: export it first, if it matters.',
      action: { label: 'Reload', run: () => location.reload() },
      lasting: true,
    }),
  )
