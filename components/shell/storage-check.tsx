'use client'

import { useActions, useApp } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { count, exact } from '../ui/format'
import { Progress } from '../ui/spinner'
import { showDialog } from './screen'
import { StorageHeading } from './storage-heading'

/** Every event of every session read again: whether all of it is as it was written. */
export function StorageCheck() {
  const check = useApp((state) => state.check)
  const { checkSessions, stopCheck } = useActions()
  return (
    <section aria-label="Check">
      <StorageHeading>Check</StorageHeading>
      {check?.phase === 'running' ? (
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1">
            <p role="status" className="m-0 mb-1 truncate text-ink2">
              {exact(check.events)} events read, session {Math.min(check.sessions + 1, check.of)} of{' '}
              {check.of}
            </p>
            <Progress value={check.sessions} max={check.of} label="Sessions checked" />
          </div>
          <Button onClick={stopCheck}>Cancel</Button>
        </div>
      ) : (
        <>
          {check ? <Checked /> : null}
          <Button onClick={checkSessions}>Check all sessions</Button>
        </>
      )}
    </section>
  )
}

function Checked() {
  const check = useApp((state) => state.check)
  const { openSession } = useActions()
  if (check?.phase !== 'done') return null
  const { sessions, events, broken } = check
  const read = `${count(sessions, 'session')}, ${count(events, 'event')} read`
  if (broken.length === 0) {
    return (
      <p role="status" className="m-0 mb-2">
        {read}: all as they were written.
      </p>
    )
  }
  return (
    <div className="mb-2">
      <p role="status" className="m-0">
        {read}; something is wrong in {count(broken.length, 'session')}. A damaged session opens as
        far as it is sound, and its export takes everything that can be read.
      </p>
      <ul className="m-0 mt-1 flex list-none flex-col gap-1 p-0">
        {broken.map(({ id, title, damaged, rules }) => (
          <li key={id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate">{title || 'Untitled session'}</span>
            <span className="shrink-0 text-xs text-err-ink">
              {damaged > 0 ? `${count(damaged, 'event')} damaged` : `breaks ${rules.join(', ')}`}
            </span>
            <Button
              size="sm"
              onClick={() => {
                showDialog(null)
                openSession(id)
              }}
            >
              Open
            </Button>
          </li>
        ))}
      </ul>
    </div>
  )
}
