'use client'

import { useActions, useApp } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { pickFiles } from '../ui/files'
import { bytes, count, moment, percent } from '../ui/format'
import { Name } from '../ui/name'
import { Progress } from '../ui/spinner'
import { StorageCheck } from './storage-check'
import { StorageHeading as Heading } from './storage-heading'
import { StorageSessions } from './storage-sessions'

export function StorageSettings() {
  const storage = useApp((state) => state.storage)
  const sessions = useApp((state) => state.sessions.length)
  return (
    <div className="flex flex-col gap-4 pb-1">
      <p className="m-0">
        Sessions, files and settings live in this browser alone. Nothing leaves it but requests to
        the model you choose.
      </p>
      {storage ? (
        <div>
          <div className="mb-1.5 flex">
            <span className="font-[520]">{bytes(storage.usage)} used</span>
            <span className="ml-auto text-ink2">
              {storage.quota
                ? `${percent(storage.usage / storage.quota)} of ${bytes(storage.quota)}`
                : null}
            </span>
          </div>
          <Progress value={storage.usage} max={storage.quota} label="Storage used" />
          <p className="m-0 mt-2 text-ink2">
            {count(sessions, 'session')}.{' '}
            {storage.persisted
              ? 'The browser has promised to keep this data.'
              : 'The browser has not promised to keep this data: it may clear it when its disk runs short. Back up what you want to keep.'}
          </p>
          <p className="m-0 mt-1 text-ink2">
            In a private window all of it is gone when the window closes. No browser tells a page
            that it is in one.
          </p>
        </div>
      ) : (
        <p className="m-0 text-ink2">This browser does not say how much is stored.</p>
      )}
      <StorageSessions />
      <StorageCheck />
      <BackupSettings />
      <TrashSettings />
    </div>
  )
}

const BUSY = {
  saving: 'Making the backup…',
  reading: 'Reading the backup and checking every event…',
  restoring: 'Restoring…',
}

function BackupSettings() {
  const backup = useApp((state) => state.backup)
  const { backUp, readBackup } = useActions()
  const choose = async () => {
    const [file] = await pickFiles({ accept: '.zip' })
    if (file) await readBackup(file)
  }
  return (
    <section aria-label="Backup">
      <Heading>Backup</Heading>
      <p className="m-0 mb-2 text-ink2">
        All sessions, files and settings as one zip. Keys are never in it.
      </p>
      {backup?.phase === 'read' ? (
        <BackupFound />
      ) : backup ? (
        <p role="status" className="m-0 text-ink2">
          {BUSY[backup.phase]}
        </p>
      ) : (
        <div className="flex flex-wrap gap-1.5">
          <Button onClick={() => void backUp()}>Back up everything</Button>
          <Button onClick={() => void choose()}>Restore a backup…</Button>
        </div>
      )}
    </section>
  )
}

/** What is in a backup, before anything is done with it. */
function BackupFound() {
  const backup = useApp((state) => state.backup)
  const { restoreBackup, closeBackup } = useActions()
  if (backup?.phase !== 'read') return null
  const { sessions, createdAt } = backup
  const here = sessions.filter((session) => session.here).length
  const damaged = sessions.filter((session) => session.readable < session.events).length
  return (
    <div className="rounded-lg border p-2.5">
      <p role="status" className="m-0">
        {count(sessions.length, 'session')} of {moment(createdAt)}; {here} of them here already,{' '}
        {damaged === 0 ? 'none damaged' : `${damaged} damaged`}.
      </p>
      <div className="mt-2 flex flex-wrap gap-1.5">
        <Button
          tone="primary"
          disabled={here === sessions.length}
          onClick={() => void restoreBackup('merge')}
        >
          Add the {sessions.length - here} missing
        </Button>
        <Button tone="danger" onClick={() => void restoreBackup('replace')}>
          Replace everything here
        </Button>
        <Button onClick={() => void closeBackup()}>Cancel</Button>
      </div>
    </div>
  )
}

/** Deleted sessions, until their week is over. */
function TrashSettings() {
  const trash = useApp((state) => state.trash)
  const { untrash, purge } = useActions()
  if (trash.length === 0) return null
  return (
    <section aria-label="Trash">
      <Heading>Trash</Heading>
      <p className="m-0 mb-2 text-ink2">
        Deleted for good a week after they were put here; their space is free then.
      </p>
      <ul className="m-0 flex max-h-48 list-none flex-col gap-1 overflow-y-auto p-0">
        {trash.map(({ id, title, trashedAt }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">
              <Name>{title || 'Untitled session'}</Name>
            </span>
            <span className="shrink-0 text-xs text-ink3">{moment(trashedAt)}</span>
            <Button size="sm" onClick={() => void untrash(id)}>
              Restore
            </Button>
            <Button size="sm" tone="danger" onClick={() => void purge(id)}>
              Delete now
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}
