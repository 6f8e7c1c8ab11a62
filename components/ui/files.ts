/** Files from people: pickers, and folders as browsers hand them over. Browser only. */

export type FileInPath = { path: string; file: File }

/** Opens the system's picker; resolves to nothing when it is dismissed. */
export function pickFiles(options: { folder?: boolean; accept?: string } = {}): Promise<File[]> {
  return new Promise((resolve) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.multiple = true
    if (options.folder) input.webkitdirectory = true
    if (options.accept) input.accept = options.accept
    input.addEventListener('change', () => resolve([...(input.files ?? [])]))
    input.addEventListener('cancel', () => resolve([]))
    input.click()
  })
}

/** Paths inside the picked folder, without its own name. */
export const inFolder = (files: readonly File[]): FileInPath[] =>
  files.map((file) => ({
    path: file.webkitRelativePath.split('/').slice(1).join('/') || file.name,
    file,
  }))

/** All files of a drop, folders walked through. Must be called while the drop event is handled. */
export async function droppedFiles(data: DataTransfer): Promise<FileInPath[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  const loose = [...data.files]
  if (entries.length === 0) return loose.map((file) => ({ path: file.name, file }))
  const found = (await Promise.all(entries.map((entry) => walk(entry)))).flat()
  // One dropped folder is the root itself.
  const only = entries.length === 1 && entries[0]!.isDirectory
  return only ? found.map((at) => ({ ...at, path: at.path.split('/').slice(1).join('/') })) : found
}

async function walk(entry: FileSystemEntry): Promise<FileInPath[]> {
  if (SKIPPED.has(entry.name)) return []
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) =>
      (entry as FileSystemFileEntry).file(resolve, reject),
    )
    return [{ path: entry.fullPath.replace(/^\//, ''), file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const children: FileSystemEntry[] = []
  // Browsers hand out a hundred at a time and say they are done with an empty list.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) break
    children.push(...some)
  }
  return (await Promise.all(children.map((child) => walk(child)))).flat()
}

/** Folders nobody means when they pick a project. */
const SKIPPED: ReadonlySet<string> = new Set([
  '.git',
  'node_modules',
  '.next',
  '__pycache__',
  '.venv',
])
const MAX_FILE = 2_000_000
const MAX_FILES = 2000

/** What of a folder becomes a workspace, and what stays out and why. */
export function sortFolder(files: readonly FileInPath[]): {
  taken: FileInPath[]
  left: { reason: string; count: number }[]
} {
  const left = new Map<string, number>()
  const skip = (reason: string) => {
    left.set(reason, (left.get(reason) ?? 0) + 1)
    return false
  }
  const taken = files.filter(({ path, file }) => {
    if (path.split('/').some((part) => SKIPPED.has(part)))
      return skip('in .git, node_modules and the like')
    if (file.size > MAX_FILE) return skip('larger than 2 MB')
    return true
  })
  if (taken.length > MAX_FILES) left.set(`beyond the first ${MAX_FILES}`, taken.length - MAX_FILES)
  return {
    taken: taken.slice(0, MAX_FILES),
    left: [...left].map(([reason, count]) => ({ reason, count })),
  }
}
