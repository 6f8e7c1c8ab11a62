/** The files the tools see. They live in the browser; the server's disk is never touched. */

import type { BlobRef } from '../core/message'
import { normalisePath } from './path'

/** A text file is a string, anything else its bytes. */
export type Content = string | Uint8Array

export type FileChange = 'added' | 'modified' | 'deleted'

export type FileEntry = {
  path: string
  /** Size in UTF-8 bytes; 0 for a deleted file. */
  bytes: number
  text: boolean
  /** Against the files the session began with; a deleted file stays listed so that it can be shown. */
  changed: FileChange | null
}

/**
 * Paths are normalised (`normalisePath`) by whoever calls; an implementation may refuse others by
 * throwing, since that is a bug of the caller. `read` and `base` answer null for what is not there.
 */
export interface Workspace {
  /** All files by path, deleted ones included. */
  list(): Promise<FileEntry[]>
  read(path: string): Promise<Content | null>
  write(path: string, content: Content): Promise<void>
  remove(path: string): Promise<void>
  /** What the file was when the session began, for the diff. */
  base(path: string): Promise<Content | null>
  /** A reference to a media file in the blob table, where there is one. */
  blob?(path: string): Promise<BlobRef | null>
}

const encoder = new TextEncoder()

export const bytesOf = (content: Content): number =>
  typeof content === 'string' ? encoder.encode(content).length : content.length

export const encodeContent = (content: Content): Uint8Array =>
  typeof content === 'string' ? encoder.encode(content) : content

/** Bytes as text where they are UTF-8 without NUL, else the bytes themselves. */
export function decodeContent(bytes: Uint8Array): Content {
  if (bytes.subarray(0, 8192).includes(0)) return bytes
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes
  }
}

export function sameContent(a: Content | null, b: Content | null): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a === 'string' || typeof b === 'string') return false
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}

/** What became of a file: null when it is as it was. */
export function changeOf(base: Content | null, now: Content | null): FileChange | null {
  if (base === null) return now === null ? null : 'added'
  if (now === null) return 'deleted'
  return sameContent(base, now) ? null : 'modified'
}

/** A workspace in memory, beginning with `files`. Throws on a path that is not normalised. */
export function memoryWorkspace(files: Record<string, Content> = {}): Workspace {
  const checked = (path: string) => {
    const normal = normalisePath(path)
    if (!normal.ok || normal.value !== path) throw new Error(`not a normalised path: ${path}`)
    return path
  }
  const base = new Map(Object.entries(files).map(([path, content]) => [checked(path), content]))
  const now = new Map(base)
  return {
    async list() {
      const paths = [...new Set([...base.keys(), ...now.keys()])].sort()
      return paths.map((path) => {
        const content = now.get(path) ?? null
        return {
          path,
          bytes: content === null ? 0 : bytesOf(content),
          text: typeof (content ?? base.get(path)) === 'string',
          changed: changeOf(base.get(path) ?? null, content),
        }
      })
    },
    read: async (path) => now.get(checked(path)) ?? null,
    write: async (path, content) => void now.set(checked(path), content),
    remove: async (path) => void now.delete(checked(path)),
    base: async (path) => base.get(checked(path)) ?? null,
  }
}
