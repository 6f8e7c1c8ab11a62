'use client'

import { useEffect, useState } from 'react'
import { CopyButton } from '@/components/ui/copy-button'
import { LongText } from '@/components/ui/long-text'
import { Spinner } from '@/components/ui/spinner'
import { Segmented } from '@/components/ui/tabs'
import { useActions } from '@/lib/state/hooks'
import type { WorkspaceFile } from '@/lib/state/model'
import { Name, plainName } from '../../ui/name'
import { DiffView } from '../shared/diff-view'

type Content = { text: string | null; base: string | null; bytes: number }
type View = 'file' | 'changes'

/** One file: its text, and what tools changed in it. */
export function FileView({ file }: { file: WorkspaceFile }) {
  const { readFile } = useActions()
  const [content, setContent] = useState<Content | 'failed' | null>(null)
  const [view, setView] = useState<View>(file.changed ? 'changes' : 'file')
  // Read again when a tool has written it.
  const stamp = `${file.path} ${file.bytes} ${file.changed}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: the stamp says when the file is another one
  useEffect(() => {
    let current = true
    readFile(file.path).then(
      (read) => current && setContent(read),
      () => current && setContent('failed'),
    )
    return () => {
      current = false
    }
  }, [readFile, file.path, stamp])
  return (
    <section
      aria-label={plainName(file.path)}
      className="flex h-full min-h-0 flex-col px-3.5 py-2.5"
    >
      <div className="mb-2 flex items-center gap-2">
        <b className="mono min-w-0 flex-1 truncate font-semibold">
          <Name>{file.path}</Name>
        </b>
        {file.changed ? (
          <Segmented
            label="What to show of the file"
            value={view}
            options={[
              { value: 'file', label: 'File' },
              { value: 'changes', label: 'Changes' },
            ]}
            onChange={(next: View) => setView(next)}
          />
        ) : null}
        {content && content !== 'failed' && content.text !== null ? (
          <CopyButton label="Copy the file" text={content.text} />
        ) : null}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Body content={content} view={file.changed ? view : 'file'} path={file.path} />
      </div>
    </section>
  )
}

function Body({
  content,
  view,
  path,
}: {
  content: Content | 'failed' | null
  view: View
  path: string
}) {
  if (content === null)
    return (
      <p className="m-0 flex items-center gap-2 text-ink2">
        <Spinner /> Reading
      </p>
    )
  if (content === 'failed') return <p className="m-0 text-err-ink">This file could not be read.</p>
  if (view === 'changes')
    return (
      <DiffView
        before={content.base ?? ''}
        after={content.text ?? ''}
        label={`Changes in ${path}`}
      />
    )
  if (content.text === null)
    return <p className="m-0 text-ink2">Not text, or no longer there: nothing to show.</p>
  return <LongText text={content.text} />
}
