'use client'

import { FolderPlus, Import, Paperclip } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useActions, useApp, useHasSession } from '@/lib/state/hooks'
import { cx } from '../ui/cx'
import { droppedFiles, type FileInPath } from '../ui/files'
import { useScreen } from './screen'
import { usePaste } from './use-paste'

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false

/** Whether files are being dragged over the window. Enter and leave come once per element, so they are counted. */
function useFileDrag(onDrop: (files: FileInPath[]) => void): [boolean, () => void] {
  const [over, setOver] = useState(false)
  const dropped = useEffectEvent(onDrop)
  useEffect(() => {
    let depth = 0
    const enter = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth += 1
      setOver(true)
    }
    const leave = (event: DragEvent) => {
      if (!hasFiles(event)) return
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const stay = (event: DragEvent) => hasFiles(event) && event.preventDefault()
    const end = (event: DragEvent) => {
      depth = 0
      setOver(false)
      if (!hasFiles(event) || event.defaultPrevented || !event.dataTransfer) return
      event.preventDefault()
      void droppedFiles(event.dataTransfer).then(dropped)
    }
    window.addEventListener('dragenter', enter)
    window.addEventListener('dragleave', leave)
    window.addEventListener('dragover', stay)
    window.addEventListener('drop', end)
    return () => {
      window.removeEventListener('dragenter', enter)
      window.removeEventListener('dragleave', leave)
      window.removeEventListener('dragover', stay)
      window.removeEventListener('drop', end)
    }
  }, [])
  return [over, () => setOver(false)]
}

/** Where dropped files can go: what a person meant is theirs to say. */
export function DropOverlay() {
  const { importFiles } = useActions()
  const bring = (files: FileInPath[]) => {
    if (files.length > 0) void importFiles(files)
  }
  // What misses every zone is taken as a transcript: that is what a drop on the window means.
  const [over, done] = useFileDrag(bring)
  usePaste((files) => void importFiles(files))
  const open = useHasSession()
  const dialog = useScreen((state) => state.dialog)
  const inChat = useApp((state) => state.view.session !== null)
  if (!over || dialog) return null
  return (
    <div className="fixed inset-0 z-50 flex animate-fade flex-col justify-center gap-3 bg-veil p-4 wide:flex-row wide:items-center wide:p-8">
      <Zone
        icon={<Import size={26} />}
        title="Import transcripts"
        about="Each becomes a session here."
        onDrop={(files) => {
          done()
          bring(files)
        }}
      />
      <Zone
        icon={<FolderPlus size={26} />}
        title="Start a session with these files"
        about="A copy of them is what its tools read and change."
        onDrop={(folder) => {
          done()
          useScreen.setState({ folder })
        }}
      />
      {open && inChat ? (
        <Zone
          icon={<Paperclip size={26} />}
          title="Attach to the message"
          about="Images and text files go with what you write next."
          onDrop={(files) => {
            done()
            useScreen.setState({ dropped: files.map(({ file }) => file) })
          }}
        />
      ) : null}
    </div>
  )
}

function Zone({
  icon,
  title,
  about,
  onDrop,
}: {
  icon: ReactNode
  title: string
  about: string
  onDrop(files: FileInPath[]): void
}) {
  const [over, setOver] = useState(false)
  return (
    <section
      aria-label={title}
      onDragEnter={() => setOver(true)}
      onDragLeave={() => setOver(false)}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void droppedFiles(event.dataTransfer).then((files) => files.length && onDrop(files))
      }}
      className={cx(
        'grid min-h-40 max-w-88 flex-1 place-items-center rounded-xl border-2 border-dashed p-6 text-center shadow-float transition-colors wide:h-72 max-wide:max-w-none',
        over ? 'border-accent bg-accent-soft' : 'border-line2 bg-raised',
      )}
    >
      <div className="pointer-events-none flex flex-col items-center gap-1.5">
        <span className={over ? 'text-accent-ink' : 'text-ink3'}>{icon}</span>
        <span className="text-lg font-semibold">{title}</span>
        <span className="text-ink2">{about}</span>
      </div>
    </section>
  )
}
