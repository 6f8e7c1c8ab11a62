'use client'

import { Brain, FileText } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { BlobRef, Block, DocumentBlock, ImageBlock } from '@/lib/core/message'
import { isKnown } from '@/lib/core/message'
import { attachmentOf } from '@/lib/state/attachments'
import { useActions } from '@/lib/state/hooks'
import { Fold } from '../ui/fold'
import { bytes } from '../ui/format'
import { LongText } from '../ui/long-text'
import { Markdown } from '../ui/markdown'
import { Name } from '../ui/name'
import { useRemembered } from './memory'

/** Beyond this, Markdown costs more than it gives; the text is shown verbatim, in pieces. */
const MARKDOWN_MAX = 60_000

export function Words({ text }: { text: string }) {
  return text.length > MARKDOWN_MAX ? <LongText text={text} /> : <Markdown text={text} />
}

/** A block of a message that is not a tool call; those have rows of their own. */
export function BlockView({
  block,
  id,
  found = null,
}: {
  block: Block
  /** Its own, so that what was unfolded stays so. */
  id: string
  /** Words of the find bar: what is folded and holds them opens. */
  found?: string | null
}) {
  if (!isKnown(block)) return <OtherBlock block={block} id={id} />
  switch (block.type) {
    case 'text':
      return <Words text={block.text} />
    case 'thinking':
      return <Thinking text={block.thinking} id={id} found={found} />
    case 'redacted_thinking':
      return <p className="m-0 my-1 text-ink2">Thinking that the provider keeps hidden.</p>
    case 'image':
    case 'document':
      return <Media block={block} />
    case 'tool_use':
    case 'tool_result':
      return null
  }
}

export function Thinking({
  text,
  id,
  live = false,
  found = null,
}: {
  text: string
  id: string
  live?: boolean
  found?: string | null
}) {
  const [opened, setOpen] = useRemembered(`thinking ${id}`, false)
  const open = opened || (found !== null && text.toLowerCase().includes(found))
  if (!text.trim() && !live) return null
  return (
    <Fold
      open={open}
      onOpenChange={setOpen}
      className="my-1.5"
      summary={
        <span className="inline-flex items-center gap-1.5 text-ink2">
          <Brain size={13} aria-hidden="true" />
          {live ? 'Thinking…' : 'Thought'}
        </span>
      }
    >
      <div className="border-l-2 border-line2 pl-3 text-ink2">
        <Words text={text} />
      </div>
    </Fold>
  )
}

function OtherBlock({ block, id }: { block: Block; id: string }) {
  const [open, setOpen] = useRemembered(`other ${id}`, false)
  return (
    <Fold
      open={open}
      onOpenChange={setOpen}
      className="my-1.5"
      summary={
        <span className="text-ink2">
          Block of type <span className="mono">{block.type}</span>
        </span>
      }
    >
      <LongText text={JSON.stringify(block, null, 2)} />
    </Fold>
  )
}

/** A text block of a person: words, or a file that came with them. */
export function UserText({ text, id, found }: { text: string; id: string; found: string | null }) {
  const file = attachmentOf(text)
  const [opened, setOpen] = useRemembered(`file ${id}`, false)
  const open = opened || (found !== null && text.toLowerCase().includes(found))
  if (!file) return <Words text={text} />
  return (
    <Fold
      open={open}
      onOpenChange={setOpen}
      className="my-1 rounded-md border bg-panel px-2 py-1"
      summary={
        <span className="inline-flex min-w-0 items-center gap-2">
          <FileText size={14} className="text-ink3" aria-hidden="true" />
          <span className="truncate">
            <Name>{file.name}</Name>
          </span>
          <span className="mono text-ink3">{bytes(file.text.length)}</span>
        </span>
      }
    >
      <LongText text={file.text} className="pt-1" reveal={found} />
    </Fold>
  )
}

/** The object URL of a stored blob; undefined while it is read, null when it is gone. */
function useBlobUrl(hash: string): string | null | undefined {
  const { blobUrl } = useActions()
  const [url, setUrl] = useState<string | null>()
  useEffect(() => {
    let current = true
    void blobUrl(hash).then((found) => current && setUrl(found))
    return () => {
      current = false
    }
  }, [blobUrl, hash])
  return url
}

const MAX_HEIGHT = 320
const MAX_WIDTH = 480

/** The box an image will fill, known before it is read so that nothing jumps. */
function boxOf({ width, height }: BlobRef): { width: number; height: number } | undefined {
  if (!width || !height) return undefined
  const scale = Math.min(1, MAX_WIDTH / width, MAX_HEIGHT / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

export function Media({ block }: { block: ImageBlock | DocumentBlock }) {
  const { source } = block
  const url = useBlobUrl(source.hash)
  const name = block.type === 'document' ? (block.title ?? 'document') : 'Attached image'
  if (block.type === 'image' && url)
    return (
      // biome-ignore lint/performance/noImgElement: a local object URL, nothing to optimise
      <img
        src={url}
        alt={name}
        className="my-1.5 max-h-80 max-w-full rounded-md border"
        style={boxOf(source)}
      />
    )
  return (
    <div
      className="my-1.5 inline-flex items-center gap-2 rounded-md border bg-panel px-2.5 py-1.5"
      style={block.type === 'image' ? boxOf(source) : undefined}
    >
      <FileText size={14} className="text-ink3" aria-hidden="true" />
      {url ? (
        <a href={url} download={name} className="underline underline-offset-2">
          <Name>{name}</Name>
        </a>
      ) : (
        <span>
          <Name>{name}</Name>
        </span>
      )}
      <span className="mono text-ink3">
        {source.media_type} · {bytes(source.bytes)}
        {url === null ? ' · not in this browser' : ''}
      </span>
    </div>
  )
}
