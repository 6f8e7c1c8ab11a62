'use client'

import { useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'
import { TextInput } from '../ui/field'
import { Name, plainName } from '../ui/name'

/** The session's title; pressing it renames in place. */
export function SessionTitle() {
  const title = useSession((state) => state.title)
  const id = useSession((state) => state.id)
  const writer = useSession((state) => state.role === 'writer')
  const actions = useActions()
  const [editing, setEditing] = useState(false)
  const name = title || 'Untitled session'
  if (!editing)
    return (
      <h1 className="contents">
        <button
          type="button"
          title={writer ? 'Rename' : plainName(name)}
          data-session-title=""
          aria-label={`Session title: ${plainName(name)}`}
          disabled={!writer}
          onClick={() => setEditing(true)}
          className="min-w-0 max-w-80 shrink-3 truncate rounded-md border border-transparent px-2 py-1 font-[550] hover:border-line disabled:hover:border-transparent"
        >
          <Name>{name}</Name>
        </button>
      </h1>
    )
  const save = (value: string) => {
    setEditing(false)
    if (value.trim() && value.trim() !== title) void actions.rename(id, value.trim())
  }
  return (
    <TextInput
      aria-label="Session title"
      autoFocus
      defaultValue={title}
      maxLength={200}
      className="w-72 min-w-0 font-[550]"
      onFocus={(event) => event.target.select()}
      onBlur={(event) => save(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save(event.currentTarget.value)
        if (event.key === 'Escape') setEditing(false)
        event.stopPropagation()
      }}
    />
  )
}
