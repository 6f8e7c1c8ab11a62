import { z } from 'zod'
import { defineTool, failure, success } from './define'
import { numbered, splitLines } from './lines'
import { normalisePath } from './path'
import { missing } from './suggest'
import type { Workspace } from './workspace'

const AROUND = 2
const LINES_NAMED = 10

const input = z.strictObject({
  path: z.string().min(1),
  old_text: z.string().min(1).describe('Exact text to replace, without line numbers'),
  new_text: z.string(),
  all: z.boolean().optional().describe('Replace every match instead of exactly one'),
})

function offsetsOf(text: string, part: string): number[] {
  const offsets: number[] = []
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length))
    offsets.push(at)
  return offsets
}

const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

/** Where the text would match if white space did not count: most failed edits are that. */
function nearMiss(text: string, part: string): string {
  const squeeze = (line: string) => line.trim().replace(/\s+/g, ' ')
  const wanted = part
    .split('\n')
    .map(squeeze)
    .find((line) => line !== '')
  const at = wanted ? splitLines(text).findIndex((line) => squeeze(line) === wanted) : -1
  return at < 0
    ? ' Read the file again and copy the text exactly.'
    : ` Line ${at + 1} differs from it only in white space: ${JSON.stringify(splitLines(text)[at])}.`
}

/** The changed place with its neighbours, so that the model need not read the file again. */
function excerpt(text: string, offset: number, length: number): string {
  const lines = splitLines(text)
  const first = Math.max(1, lineAt(text, offset) - AROUND)
  const last = Math.min(lines.length, lineAt(text, offset + length) + AROUND, first + 24)
  return lines
    .slice(first - 1, last)
    .map((line, at) => numbered(line, first + at))
    .join('\n')
}

/** Replaces a text that occurs exactly once, or every match with `all`. */
export const editFileTool = (files: Workspace) =>
  defineTool({
    name: 'edit_file',
    description:
      'Replace text in a file. "old_text" must match exactly, white space included, and exactly once; include neighbouring lines to make it unique, or set "all".',
    effect: 'changes',
    input,
    example: { path: 'src/app.py', old_text: 'LIMIT = 10', new_text: 'LIMIT = 20' },
    async run({ path: raw, old_text, new_text, all = false }) {
      const path = normalisePath(raw)
      if (!path.ok) return failure(path.error)
      const text = await files.read(path.value)
      if (text === null) return failure(await missing(files, path.value))
      if (typeof text !== 'string') return failure(`${path.value} is not a text file.`)
      // Lines are shown without their ends, so text copied from a CRLF file has lost them.
      const crlf = text.includes('\r\n') && !old_text.includes('\r')
      const [old, fresh] = crlf
        ? ([old_text, new_text].map((part) => part.replace(/\r?\n/g, '\r\n')) as [string, string])
        : [old_text, new_text]
      if (old === fresh)
        return failure('"old_text" and "new_text" are the same; nothing to change.')
      const offsets = offsetsOf(text, old)
      if (offsets.length === 0)
        return failure(`No match for "old_text" in ${path.value}.${nearMiss(text, old)}`)
      if (offsets.length > 1 && !all) {
        const lines = offsets
          .slice(0, LINES_NAMED)
          .map((at) => lineAt(text, at))
          .join(', ')
        return failure(
          `"old_text" matches ${offsets.length} times in ${path.value} (lines ${lines}${offsets.length > LINES_NAMED ? ', …' : ''}); it must match once. Include neighbouring lines, or set "all": true.`,
        )
      }
      const edited = text.split(old).join(fresh)
      await files.write(path.value, edited)
      const places = offsets.length === 1 ? '1 place' : `${offsets.length} places`
      return success(
        `Edited ${path.value} (${places}). It now reads:\n${excerpt(edited, offsets[0]!, fresh.length) || '[empty]'}`,
      )
    },
  })
