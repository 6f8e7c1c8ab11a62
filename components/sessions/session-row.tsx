'use client'

import { Download, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useActions } from '@/lib/state/hooks'
import type { SessionSummary } from '@/lib/state/model'
import { showExport } from '../shell/screen'
import { IconButton } from '../ui/button'
import { cx } from '../ui/cx'
import { TextInput } from '../ui/field'
import { bytes, count, moment, when } from '../ui/format'
import { Menu, MenuItem } from '../ui/menu'
import { Name } from '../ui/name'
import { Sparkline } from '../ui/sparkline'
import { useDwell } from './use-dwell'

export const ROW_HEIGHT = 76

type Props = {
  session: SessionSummary
  open: boolean
  now: number
  /** Roving focus: one row of the list is in the tab order. */
  tabbable: boolean
  onOpen(): void
  onFocus(): void
}

export function SessionRow({ session, open, now, tabbable, onOpen, onFocus }: Props) {
  const actions = useActions()
  const [renaming, setRenaming] = useState(false)
  const dwell = useDwell(() => actions.peekSession(session.id))
  const title = session.title || 'Untitled session'
  if (renaming) return <RenameRow session={session} onDone={() => setRenaming(false)} />
  return (
    <div className={cx('group relative rounded-lg', open ? 'bg-hover' : 'hover:bg-hover/60')}>
      <button
        type="button"
        {...dwell}
        data-session={session.id}
        aria-current={open ? 'true' : undefined}
        tabIndex={tabbable ? 0 : -1}
        onClick={onOpen}
        onFocus={() => {
          dwell.onFocus()
          onFocus()
        }}
        onDoubleClick={() => setRenaming(true)}
        onKeyDown={(event) => {
          if (event.key === 'F2') setRenaming(true)
          if (event.key === 'Delete') void actions.remove(session.id)
        }}
        className="block w-full rounded-lg px-2.5 pb-2 pt-1.5 text-left"
      >
        <span className="flex items-baseline gap-1.5">
          {session.busy ? (
            <span
              role="img"
              aria-label="working"
              className="size-1.75 shrink-0 animate-dot rounded-full bg-accent"
            />
          ) : null}
          <span className="min-w-0 flex-1 truncate font-[520]">
            <Name>{title}</Name>
          </span>
          <span
            className="shrink-0 text-xs text-ink3 group-focus-within:invisible group-hover:invisible"
            title={moment(session.updatedAt)}
          >
            {when(session.updatedAt, now)}
          </span>
        </span>
        <span className="block truncate text-xs text-ink3">
          {session.imported ? 'imported · ' : ''}
          {count(session.compactions, 'compaction')} · {count(session.events, 'event')}
          {session.bytes ? ` · ${bytes(session.bytes)}` : ''}
        </span>
        <span className="mt-0.5 block">
          <Sparkline points={session.sparkline} />
        </span>
      </button>
      <RowMenu
        title={title}
        onRename={() => setRenaming(true)}
        onExport={() => {
          onOpen()
          showExport()
        }}
        onRemove={() => void actions.remove(session.id)}
      />
    </div>
  )
}

function RowMenu({
  title,
  onRename,
  onExport,
  onRemove,
}: {
  title: string
  onRename(): void
  onExport(): void
  onRemove(): void
}) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton
          size="sm"
          label={`More for ${title}`}
          className="absolute right-1 top-1 bg-hover opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100"
        >
          <Ellipsis size={14} />
        </IconButton>
      }
    >
      <MenuItem icon={<Pencil size={13} />} keys="F2" onSelect={() => setTimeout(onRename)}>
        Rename
      </MenuItem>
      <MenuItem icon={<Download size={13} />} onSelect={onExport}>
        Export…
      </MenuItem>
      <MenuItem icon={<Trash2 size={13} />} keys="Del" tone="danger" onSelect={onRemove}>
        Delete
      </MenuItem>
    </Menu>
  )
}

function RenameRow({ session, onDone }: { session: SessionSummary; onDone(): void }) {
  const { rename } = useActions()
  const save = (value: string) => {
    onDone()
    if (value.trim() && value.trim() !== session.title) void rename(session.id, value.trim())
  }
  return (
    <div className="rounded-lg bg-hover px-1.5 pb-2 pt-1">
      <TextInput
        aria-label="Session title"
        autoFocus
        defaultValue={session.title}
        maxLength={200}
        onFocus={(event) => event.target.select()}
        onBlur={(event) => save(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') save(event.currentTarget.value)
          if (event.key === 'Escape') onDone()
          event.stopPropagation()
        }}
      />
      <span className="mt-1 block px-1 text-xs text-ink3">Enter saves, Esc keeps the old name</span>
    </div>
  )
}
