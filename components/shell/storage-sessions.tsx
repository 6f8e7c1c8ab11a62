'use client'

import { useEffect } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import type { AppState } from '@/lib/state/model'
import { bytes, count } from '../ui/format'
import { StorageHeading } from './storage-heading'

type SessionUse = NonNullable<AppState['uses']>[number]

/** Rows shown: what is worth deleting is large. */
const MOST = 50

const PARTS = [
  ['log', 'log'],
  ['attachments', 'attachments'],
  ['files', 'files'],
  ['original', 'imported file'],
] as const

/** `log 1.2 MB, files 40 kB`: what there is of it. */
const partsOf = (use: SessionUse): string =>
  PARTS.flatMap(([part, name]) => (use[part] > 0 ? [`${name} ${bytes(use[part])}`] : [])).join(', ')

const totalOf = (use: SessionUse): number => PARTS.reduce((sum, [part]) => sum + use[part], 0)

/** What each session keeps, measured anew whenever a session comes or goes while this is open. */
export function StorageSessions() {
  const uses = useApp((state) => state.uses)
  const there = useApp((state) => `${state.sessions.length} ${state.trash.length}`)
  const { measureStorage } = useActions()
  useEffect(() => {
    if (there) void measureStorage()
  }, [there, measureStorage])
  if (!uses || uses.length === 0) return null
  return (
    <section aria-label="By session">
      <StorageHeading>By session</StorageHeading>
      <ul className="m-0 flex max-h-40 list-none flex-col gap-1 overflow-y-auto p-0">
        {uses.slice(0, MOST).map((use) => (
          <li key={use.id} className="flex items-baseline gap-2" title={partsOf(use)}>
            <span className="min-w-0 flex-1 truncate">
              {use.title || 'Untitled session'}
              {use.trashed ? <span className="text-ink3"> (in the trash)</span> : null}
            </span>
            <span className="min-w-0 shrink truncate text-xs text-ink3 max-wide:hidden">
              {partsOf(use)}
            </span>
            <span className="mono w-16 shrink-0 text-right">{bytes(totalOf(use))}</span>
          </li>
        ))}
      </ul>
      <p className="m-0 mt-1 text-ink3">
        {uses.length > MOST ? `The ${MOST} largest of ${count(uses.length, 'session')}. ` : null}
        What sessions share is counted in each. Delete them in the list of sessions; the trash gives
        their space free.
      </p>
    </section>
  )
}
