/** Everything at once: the backup and its way back, and the trash. */

import { writeBackup } from '../storage/backup'
import { type OpenBackup, openBackup, type RestoreMode } from '../storage/restore'
import { purgeSession, untrashSession } from '../storage/sessions'
import { persistStorage } from '../storage/usage'
import type { AppContext } from './app-context'
import type { Actions, BackupState } from './model'
import { saveStream } from './save'

type BackupActions = Pick<
  Actions,
  'backUp' | 'readBackup' | 'restoreBackup' | 'closeBackup' | 'untrash' | 'purge'
>

const day = (time: number): string => new Date(time).toISOString().slice(0, 10)

export function backupActions(app: AppContext): BackupActions {
  let held: OpenBackup | null = null
  const show = (backup: BackupState | null) => app.store.setState({ backup })
  const letGo = async () => {
    await held?.close()
    held = null
  }

  return {
    async backUp() {
      show({ phase: 'saving' })
      const now = app.clock.now()
      await saveStream(
        writeBackup(app.db, now),
        `palimpsest-backup-${day(now)}.zip`,
        'application/zip',
      ).catch(app.report('The backup could not be made'))
      show(null)
    },
    async readBackup(file) {
      await letGo()
      show({ phase: 'reading' })
      try {
        held = await openBackup(app.db, file)
        show({ phase: 'read', ...held.report })
      } catch (error) {
        show(null)
        app.report('The backup could not be read')(error)
      }
    },
    async restoreBackup(mode: RestoreMode) {
      if (!held) return
      show({ phase: 'restoring' })
      try {
        if (mode === 'replace') app.setView({ session: null })
        const count = await held.restore(mode)
        const what = count === 1 ? '1 session' : `${count} sessions`
        app.toast({ tone: 'plain', title: `Restored ${what} from the backup` })
        await persistStorage()
      } catch (error) {
        const rest = mode === 'replace' ? ': reload the page to go on with it' : ''
        app.report(`The backup could not be restored${rest}`)(error)
      }
      await letGo()
      show(null)
    },
    async closeBackup() {
      await letGo()
      show(null)
    },
    untrash: (id) => untrashSession(app.db, id).catch(app.report('It could not be restored')),
    purge: (id) => purgeSession(app.db, id).catch(app.report('It could not be deleted')),
  }
}
