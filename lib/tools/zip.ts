/** The workspace as a download. */

import { strToU8, type Zippable, zipSync } from 'fflate'
import type { Content } from './workspace'

/** Files are dated alike, so that equal workspaces give equal bytes. */
const DATE = '2026-01-01T00:00:00'

/** A zip of the files given, by path. Paths must be normalised. */
export function zipWorkspace(files: { path: string; content: Content }[]): Uint8Array {
  const tree: Zippable = {}
  for (const { path, content } of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    tree[path] = typeof content === 'string' ? strToU8(content) : content
  }
  return zipSync(tree, { level: 6, mtime: DATE })
}
