/** Paths as the rows of a tree: folders first, then files, each by name. */

import type { WorkspaceFile } from '@/lib/state/model'

export type FileRow =
  | { row: 'folder'; path: string; name: string; level: number; open: boolean; changed: boolean }
  | { row: 'file'; path: string; name: string; level: number; file: WorkspaceFile }

type Folder = { folders: Map<string, Folder>; files: WorkspaceFile[] }

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const byName = (a: string, b: string): number => a.localeCompare(b, 'en')

function gather(files: readonly WorkspaceFile[]): Folder {
  const root: Folder = { folders: new Map(), files: [] }
  for (const file of files) {
    let folder = root
    for (const part of file.path.split('/').slice(0, -1)) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: [] }
      folder.folders.set(part, next)
      folder = next
    }
    folder.files.push(file)
  }
  return root
}

const isChanged = (folder: Folder): boolean => {
  const stack = [folder]
  for (let at = stack.pop(); at; at = stack.pop()) {
    if (at.files.some((file) => file.changed)) return true
    stack.push(...at.folders.values())
  }
  return false
}

/** Rows in reading order; the folders named in `closed` keep theirs. */
export function fileRows(files: readonly WorkspaceFile[], closed: ReadonlySet<string>): FileRow[] {
  const rows: FileRow[] = []
  const stack: { path: string; folder: Folder; level: number }[] = []
  const list = (path: string, folder: Folder, level: number) => {
    const prefix = path ? `${path}/` : ''
    const names = [...folder.folders.keys()].sort(byName).reverse()
    return names.map((name) => ({ path: prefix + name, folder: folder.folders.get(name)!, level }))
  }
  const add = (folder: Folder, level: number) => {
    for (const file of [...folder.files].sort((a, b) => byName(a.path, b.path)))
      rows.push({ row: 'file', path: file.path, name: nameOf(file.path), level, file })
  }
  const root = gather(files)
  // Files of a folder come after its folders, so they wait on the stack beneath them.
  const waiting: { folder: Folder; level: number; at: number }[] = [
    { folder: root, level: 0, at: 0 },
  ]
  stack.push(...list('', root, 0))
  while (stack.length > 0 || waiting.length > 0) {
    const owner = waiting.at(-1)
    if (owner && stack.length === owner.at) {
      waiting.pop()
      add(owner.folder, owner.level)
      continue
    }
    const next = stack.pop()!
    const open = !closed.has(next.path)
    rows.push({
      row: 'folder',
      path: next.path,
      name: nameOf(next.path),
      level: next.level,
      open,
      changed: isChanged(next.folder),
    })
    if (!open) continue
    waiting.push({ folder: next.folder, level: next.level + 1, at: stack.length })
    stack.push(...list(next.path, next.folder, next.level + 1))
  }
  return rows
}
