import { z } from 'zod'
import { defineTool, failure, success } from './define'
import { splitLines } from './lines'
import { normalisePath } from './path'
import { bytesOf, type Workspace } from './workspace'

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

const MAX_BYTES = 4 * 1024 * 1024

const input = z.strictObject({ path: z.string().min(1), content: z.string() })

/** A file may not be where a folder is, nor inside another file. */
async function conflictOf(files: Workspace, path: string): Promise<string | null> {
  for (const file of await files.list()) {
    if (file.changed === 'deleted') continue
    if (file.path.startsWith(`${path}/`))
      return `${path} is a folder; choose a file name inside it.`
    if (path.startsWith(`${file.path}/`))
      return `${file.path} is a file, so ${path} cannot be inside it.`
  }
  return null
}

/** Creates a file or replaces the whole of it. */
export const writeFileTool = (files: Workspace) =>
  defineTool({
    name: 'write_file',
    description:
      'Create a file, or replace the whole content of one. Folders are made as needed. To change part of a file use edit_file.',
    effect: 'changes',
    input,
    example: { path: 'notes/todo.txt', content: 'first line\n' },
    async run({ path: raw, content }) {
      const path = normalisePath(raw)
      if (!path.ok) return failure(path.error)
      const bytes = bytesOf(content)
      if (bytes > MAX_BYTES)
        return failure(`The content has ${bytes} bytes; at most ${MAX_BYTES} can be written.`)
      const conflict = await conflictOf(files, path.value)
      if (conflict) return failure(conflict)
      const before = await files.read(path.value)
      await files.write(path.value, content)
      return success(
        `${before === null ? 'Created' : 'Replaced'} ${path.value} (${countOf(splitLines(content).length, 'line')}, ${countOf(bytes, 'byte')}).`,
      )
    },
  })
