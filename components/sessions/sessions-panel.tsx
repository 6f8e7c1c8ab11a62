'use client'

import { Plus, Upload, X } from 'lucide-react'
import { useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import { Button, IconButton } from '../ui/button'
import { TextInput } from '../ui/field'
import { bytes } from '../ui/format'
import { Name } from '../ui/name'
import { Panel } from '../ui/panel'
import { Progress } from '../ui/spinner'
import { ImportMenu } from './import-menu'
import { NewSessionMenu } from './new-session-menu'
import { SearchHits } from './search-hits'
import { SessionList } from './session-list'
import { StorageLine } from './storage-line'

/** All sessions of this browser. `onOpened` closes the drawer of a narrow screen. */
export function SessionsPanel({ onOpened = () => {} }: { onOpened?(): void }) {
  const sessions = useApp((state) => state.sessions)
  const [filter, setFilterText] = useState('')
  const { search } = useActions()
  const setFilter = (text: string) => {
    setFilterText(text)
    search(text)
  }
  const wanted = filter.trim().toLowerCase()
  const shown = wanted
    ? sessions.filter(({ title }) => title.toLowerCase().includes(wanted))
    : sessions
  return (
    <Panel aria-label="Sessions">
      <div className="flex gap-1.5 p-2.5">
        <NewSessionMenu
          trigger={
            <Button className="min-w-0 flex-1">
              <Plus size={14} />
              New session
            </Button>
          }
        />
        <ImportMenu
          trigger={
            <Button>
              <Upload size={13} />
              Import
            </Button>
          }
        />
      </div>
      <Importing />
      {sessions.length === 0 ? (
        <p className="m-0 flex-1 px-4 py-2 text-ink2">
          No sessions yet. They live in this browser only; export them to keep a copy elsewhere.
        </p>
      ) : (
        <>
          <div className="px-2.5 pb-2">
            <TextInput
              type="search"
              aria-label="Search sessions"
              placeholder="Search titles and conversations"
              title="Words, “a phrase”, beg*; kind:user, kind:result, tool:bash, after:2026-11-01, in:summaries, in:shadowed"
              value={filter}
              onChange={(event) => setFilter(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && setFilter('')}
            />
          </div>
          {shown.length === 0 ? (
            <p className="m-0 px-4 py-2 text-ink2">No title contains “{filter.trim()}”.</p>
          ) : (
            <SessionList sessions={shown} onOpened={onOpened} />
          )}
          {wanted ? <SearchHits onOpened={onOpened} /> : null}
        </>
      )}
      <StorageLine />
    </Panel>
  )
}

function Importing() {
  const importing = useApp((state) => state.importing)
  const { cancelImport } = useActions()
  if (!importing) return null
  return (
    <div role="status" className="mx-2.5 mb-2.5 rounded-lg border p-2.5">
      <div className="flex items-center gap-2">
        <span className="min-w-0 flex-1 truncate">
          Reading <Name>{importing.name}</Name>
        </span>
        <IconButton size="sm" label="Cancel the import" onClick={cancelImport}>
          <X size={13} />
        </IconButton>
      </div>
      <Progress value={importing.bytes} max={importing.total} label={`Reading ${importing.name}`} />
      <p className="mono m-0 mt-1 text-ink3">
        {bytes(importing.bytes)} of {bytes(importing.total)}
      </p>
    </div>
  )
}
