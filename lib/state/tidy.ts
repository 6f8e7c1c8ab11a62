/** What a tab does for the whole store when it starts: others may have died in the middle of something. */

import type { Database } from '../storage/db'
import { sweepImports } from '../storage/import'
import { sweepRaw } from '../storage/raw'
import { finishRestore } from '../storage/restore'
import { purgeTrash } from '../storage/sessions'
import type { AppContext } from './app-context'
import { TRASH_DAYS } from './session-actions'

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
