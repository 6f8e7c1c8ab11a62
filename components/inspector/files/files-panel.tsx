'use client'

import { ChevronRight, Download, FileText, Folder } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { EmptyState } from '@/components/ui/empty-state'
import { bytes, count } from '@/components/ui/format'
import { Divider, Pane, Split } from '@/components/ui/split'
import { useActions, useSession } from '@/lib/state/hooks'
import type { WorkspaceFile } from '@/lib/state/model'
import { Name } from '../../ui/name'
import { type RowProps, VirtualRows } from '../shared/virtual-rows'
import { FileView } from './file-view'
import { type FileRow, fileRows } from './tree'

/** The workspace the tools act on, as it is now. */
export function FilesPanel() {
  const files = useSession((state) => state.files)
  const { exportSession } = useActions()
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set())
  const [chosen, setChosen] = useState<string | null>(null)
  const rows = fileRows(files, closed)
  const changed = files.filter((file) => file.changed).length
  const toggle = (path: string, wanted?: boolean) => {
    const next = new Set(closed)
    if (wanted ?? closed.has(path)) next.delete(path)
    else next.add(path)
    setClosed(next)
  }
  const onKey = (event: KeyboardEvent, index: number): boolean => {
    const row = rows[index]
    if (row?.row !== 'folder') return false
    if (event.key === 'ArrowRight') toggle(row.path, true)
    else if (event.key === 'ArrowLeft') toggle(row.path, false)
    else return false
    return true
  }
  if (files.length === 0)
    return (
      <EmptyState title="An empty workspace">
        Files that tools write appear here. They live in this browser only.
      </EmptyState>
    )
  const file = files.find((one) => one.path === chosen)
  return (
    <div className="flex h-full min-h-0 flex-col" data-testid="files">
      <div className="flex items-center gap-2 px-3.5 py-2.5">
        <p className="m-0 min-w-0 flex-1 truncate text-ink2">
          <b className="font-semibold text-ink">{count(files.length, 'file')}</b>
          {changed > 0 ? ` · ${changed} changed by tools` : ''} · as they are now
        </p>
        <Button size="sm" onClick={() => void exportSession('workspace')}>
          <Download size={12} />
          Download zip
        </Button>
      </div>
      <Split
        id="files-split"
        orientation="vertical"
        panes={['files-tree', 'files-file']}
        className="min-h-0 flex-1"
      >
        <Pane id="files-tree" minSize="90px" defaultSize="40%">
          <VirtualRows
            role="list"
            label="Files"
            count={rows.length}
            estimate={25}
            keyOf={(i) => rows[i]!.path}
            active={rows.findIndex((row) => row.path === chosen)}
            onActive={(i) => setChosen(rows[i]!.path)}
            onKey={onKey}
            className="px-2 pb-2"
          >
            {(i, props) => (
              <Row
                row={rows[i]!}
                props={props}
                chosen={rows[i]!.path === chosen}
                onPress={() =>
                  rows[i]!.row === 'folder' ? toggle(rows[i]!.path) : setChosen(rows[i]!.path)
                }
              />
            )}
          </VirtualRows>
        </Pane>
        <Divider label="Height of the files" vertical />
        <Pane id="files-file" minSize="120px">
          {file ? (
            <FileView key={file.path} file={file} />
          ) : (
            <EmptyState title="No file chosen">
              Choose one to read it and see what changed.
            </EmptyState>
          )}
        </Pane>
      </Split>
    </div>
  )
}

const MARKS: Record<NonNullable<WorkspaceFile['changed']>, { sign: string; tone: string }> = {
  added: { sign: 'A', tone: 'text-assistant-ink' },
  modified: { sign: 'M', tone: 'text-call-ink' },
  deleted: { sign: 'D', tone: 'text-err-ink' },
}

function Row({
  row,
  props,
  chosen,
  onPress,
}: {
  row: FileRow
  props: RowProps
  chosen: boolean
  onPress(): void
}) {
  const mark = row.row === 'file' && row.file.changed ? MARKS[row.file.changed] : null
  return (
    <button
      type="button"
      {...props}
      data-path={row.path}
      aria-expanded={row.row === 'folder' ? row.open : undefined}
      aria-current={chosen ? 'true' : undefined}
      onClick={onPress}
      style={{ paddingLeft: 4 + row.level * 16 }}
      className={cx(
        'flex h-full w-full items-center gap-1.5 rounded-sm pr-2 text-left outline-offset-[-2px]',
        chosen ? 'bg-active' : 'hover:bg-hover',
      )}
    >
      {row.row === 'folder' ? (
        <>
          <ChevronRight size={12} className={cx('text-ink3', row.open && 'rotate-90')} />
          <Folder size={13} className="text-ink3" />
        </>
      ) : (
        <FileText size={13} className="ml-4.5 text-ink3" />
      )}
      <span className={cx('mono min-w-0 flex-1 truncate', mark?.sign === 'D' && 'line-through')}>
        <Name>{row.name}</Name>
        {row.row === 'folder' && row.changed && !row.open ? (
          <span className="text-call-ink"> · changed inside</span>
        ) : null}
      </span>
      {mark && row.row === 'file' ? (
        <span className={cx('mono shrink-0 font-semibold', mark.tone)} title={row.file.changed!}>
          {mark.sign}
        </span>
      ) : null}
      {row.row === 'file' ? (
        <span className="mono w-14 shrink-0 text-right text-ink2">{bytes(row.file.bytes)}</span>
      ) : null}
    </button>
  )
}
