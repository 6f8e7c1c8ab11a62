import { z } from 'zod'
import { defineTool, failure, success } from './define'
import { compileGlob, isGlob } from './glob'
import { normaliseFolder } from './path'
import type { FileEntry, Workspace } from './workspace'

const MAX_FILES = 300

const input = z.strictObject({
  path: z
    .string()
    .optional()
    .describe('Folder ("docs") or glob ("src/**/*.py", "*.md"); everything if left out'),
})

/** Which files a folder or glob means: null and a sentence when the path is refused. */
export function selectFiles(
  all: FileEntry[],
  where: string,
): { files: FileEntry[] } | { error: string } {
  const present = all.filter((file) => file.changed !== 'deleted')
  if (isGlob(where)) {
    const matches = compileGlob(where)
    return { files: present.filter((file) => matches(file.path)) }
  }
  const folder = normaliseFolder(where)
  if (!folder.ok) return { error: folder.error }
  if (folder.value === '') return { files: present }
  return {
    files: present.filter(
      (file) => file.path === folder.value || file.path.startsWith(`${folder.value}/`),
    ),
  }
}

function foldersOf(files: FileEntry[]): string[] {
  return [...new Set(files.map((file) => file.path.split('/').slice(0, -1)[0] ?? '.'))].sort()
}

/** Lists paths with sizes, one `path<tab>bytes` a line. */
export const listFilesTool = (files: Workspace) =>
  defineTool({
    name: 'list_files',
    description:
      'List files of the workspace, folders included, or those matching a glob. One line a file: path, tab, bytes.',
    effect: 'reads',
    input,
    example: { path: 'src/**/*.py' },
    async run({ path = '' }) {
      const all = await files.list()
      const found = selectFiles(all, path)
      if ('error' in found) return failure(found.error)
      const where = path === '' ? 'the workspace' : path
      if (found.files.length === 0) {
        const folders = foldersOf(all.filter((file) => file.changed !== 'deleted'))
        return isGlob(path) || folders.length === 0
          ? success(`No files match ${where}.`)
          : failure(
              `There is nothing at ${where}. Top folders: ${folders.slice(0, 20).join(', ')}.`,
            )
      }
      const shown = found.files.slice(0, MAX_FILES)
      const rows = shown.map((file) => `${file.path}\t${file.bytes}`)
      const more = found.files.length - shown.length
      const count = `${found.files.length} ${found.files.length === 1 ? 'file' : 'files'} in ${where}`
      return success(
        `${count}:\n${rows.join('\n')}${more > 0 ? `\n[${more} more not shown; give a folder or a narrower glob]` : ''}`,
      )
    },
  })
