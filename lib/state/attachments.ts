/** Files with a message: what a model can read of them, as blocks, and the files of a draft that was stored. */

import type { Block } from '../core/message'
import { getBlob, putBlob } from '../storage/blobs'
import type { Database } from '../storage/db'
import { draftOwner, releaseDraft, saveDraft } from '../storage/drafts'
import { readImage } from '../storage/images'
import { decodeContent } from '../tools/workspace'
import { fitImage, type Redraw } from './fit-image'

/** What the API takes as an image; others travel as text or not at all. */
const IMAGE = /^image\/(png|jpeg|gif|webp)$/
const MAX_ATTACHMENT = 5_000_000
/** Images are made smaller; this is what a browser can be asked to read. */
const MAX_IMAGE = 50_000_000

export type AttachOptions = {
  /** Told, in words for people, when an image is kept smaller than it came. */
  onScaled?(words: string): void
  redraw?: Redraw
}

/** The block of a file, its media kept in `owner`'s name; a string says why there is none. */
export async function attach(
  db: Database,
  owner: string,
  file: File,
  options: AttachOptions = {},
): Promise<Block | string> {
  const isImage = IMAGE.test(file.type)
  if (file.size > (isImage ? MAX_IMAGE : MAX_ATTACHMENT))
    return `${file.name} is larger than ${isImage ? 50 : 5} MB.`
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (isImage) return attachImage(db, owner, { name: file.name || 'The image', bytes }, options)
  if (file.type === 'application/pdf') {
    const source = await putBlob(db, owner, bytes, file.type)
    return { type: 'document', source, title: file.name }
  }
  const content = decodeContent(bytes)
  if (typeof content !== 'string') return `${file.name} is neither text nor an image.`
  return { type: 'text', text: `<file name=${JSON.stringify(file.name)}>\n${content}\n</file>` }
}

/** A request with an image no model takes would be refused, and so would every later one of the session. */
async function attachImage(
  db: Database,
  owner: string,
  { name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> },
  { onScaled, redraw }: AttachOptions,
): Promise<Block | string> {
  const info = readImage(bytes)
  if (!info) return `${name} is not an image a model can read.`
  const fitted = await fitImage(bytes, info, redraw)
  const size = `${info.width} × ${info.height} pixels`
  if (!fitted)
    return `${name} is too large for a model (${size}), and this browser cannot make it smaller.`
  if (fitted.bytes !== bytes)
    onScaled?.(
      `${name} is sent as ${fitted.info.width} × ${fitted.info.height} pixels instead of ${size}: larger images are refused.`,
    )
  return { type: 'image', source: await putBlob(db, owner, fitted.bytes, fitted.info.mediaType) }
}

/** A text block that carries an attached file, as `attach` writes it; null for plain words. */
export function attachmentOf(text: string): { name: string; text: string } | null {
  if (!text.startsWith('<file name="')) return null
  const match = /^<file name=("(?:[^"\\]|\\.)*")>\n([\s\S]*)\n<\/file>$/.exec(text)
  if (!match) return null
  try {
    return { name: JSON.parse(match[1]!) as string, text: match[2]! }
  } catch {
    // Somebody else's words that look like ours.
    return null
  }
}

/** The file of a block; null where its bytes are gone, or it never was a file. */
export async function fileOf(db: Database, block: Block): Promise<File | null> {
  const text = block.type === 'text' && typeof block.text === 'string' ? block.text : null
  if (text !== null) {
    const found = attachmentOf(text)
    return found && new File([found.text], found.name, { type: 'text/plain' })
  }
  if (block.type !== 'image' && block.type !== 'document') return null
  const { source, title } = block as { source: { hash: string }; title?: string }
  const blob = await getBlob(db, source.hash)
  return blob && new File([blob.bytes], title ?? '', { type: blob.mediaType })
}

const hashesOf = (blocks: Iterable<Block | null>): string[] =>
  [...blocks].flatMap((block) => {
    const source: unknown = block && 'source' in block ? block.source : null
    return typeof source === 'object' && source !== null && 'hash' in source
      ? [String(source.hash)]
      : []
  })

/** Keeps drafts: the text at once, and each file as soon as it is read. Nothing here rejects. */
export function draftKeeper(
  db: () => Database,
  onProblem: (error: unknown) => void,
  options: AttachOptions = {},
) {
  /** Of each session's draft: its files with their blocks, null while one is read or where it has none. */
  const kept = new Map<string, Map<File, Block | null>>()
  /** What each draft was last said to be; work on files ends later than that. */
  const latest = new Map<string, { text: string; files: readonly File[] }>()

  const write = (session: string): Promise<void> => {
    const { text, files } = latest.get(session) ?? { text: '', files: [] }
    const attachments = files.flatMap((file) => kept.get(session)?.get(file) ?? [])
    return saveDraft(db(), session, { text, attachments })
  }
  /** Forgets files that are in the draft no more, and lets go of their media. */
  const tidy = async (session: string, isFirst = false): Promise<void> => {
    const blocks = kept.get(session) ?? new Map<File, Block | null>()
    const files = latest.get(session)?.files ?? []
    const gone = [...blocks.keys()].filter((file) => !files.includes(file))
    for (const file of gone) blocks.delete(file)
    // An emptied draft may have media of an earlier visit to the page.
    if (gone.length > 0 || (isFirst && files.length === 0))
      await releaseDraft(db(), session, hashesOf(blocks.values()))
  }
  const keepFiles = async (session: string, files: readonly File[]): Promise<void> => {
    const blocks = kept.get(session) ?? new Map<File, Block | null>()
    kept.set(session, blocks)
    for (const file of files) blocks.set(file, null)
    for (const file of files) {
      const block = await attach(db(), draftOwner(session), file, options)
      // One that cannot be sent is told when it is.
      if (typeof block !== 'string') blocks.set(file, { ...block, title: file.name })
    }
    await tidy(session)
    await write(session)
  }

  return (session: string, text: string, files: readonly File[]): void => {
    const isFirst = !latest.has(session)
    latest.set(session, { text, files })
    write(session).catch(onProblem)
    tidy(session, isFirst).catch(onProblem)
    const fresh = files.filter((file) => !kept.get(session)?.has(file))
    if (fresh.length > 0) keepFiles(session, fresh).catch(onProblem)
  }
}
