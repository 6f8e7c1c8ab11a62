import { z } from 'zod'
import type { ToolOutcome } from '../ports'
import { defineTool, failure, success } from './define'
import { cutAt, numbered, splitLines } from './lines'
import { normalisePath } from './path'
import { missing } from './suggest'
import type { Workspace } from './workspace'

/** Characters of one result, numbers included: 8k tokens by M1. */
const MAX_CHARS = 32_000
const MAX_LINE = 4_000

const input = z.strictObject({
  path: z.string().min(1),
  from: z.int().min(1).optional().describe('First line, counted from 1'),
  to: z.int().min(1).optional().describe('Last line, included'),
})

type Page = { text: string; last: number; longLines: number[] }

/** Numbered lines from `from` to `to`, as many as fit. */
function pageOf(lines: string[], from: number, to: number): Page {
  const out: string[] = []
  const longLines: number[] = []
  let size = 0
  let last = from - 1
  for (let number = from; number <= to; number++) {
    const line = lines[number - 1]!
    const shown = cutAt(line, MAX_LINE)
    const row = numbered(shown, number)
    if (out.length > 0 && size + row.length + 1 > MAX_CHARS) break
    if (shown !== line) longLines.push(number)
    out.push(row)
    size += row.length + 1
    last = number
  }
  return { text: out.join('\n'), last, longLines }
}

function notesOf(path: string, page: Page, from: number, to: number, total: number): string {
  const notes: string[] = []
  if (page.longLines.length > 0) {
    notes.push(
      `[lines ${page.longLines.join(', ')} are cut at ${MAX_LINE} characters; bash can show the rest, e.g. sed -n ${page.longLines[0]}p ${path} | cut -c${MAX_LINE + 1}-]`,
    )
  }
  if (page.last < to) {
    notes.push(
      `[lines ${from}-${page.last} of ${total} shown, the rest did not fit; go on with ${JSON.stringify({ path, from: page.last + 1 })}]`,
    )
  } else if (from > 1 || to < total) notes.push(`[lines ${from}-${page.last} of ${total}]`)
  return notes.length > 0 ? `\n${notes.join('\n')}` : ''
}

async function mediaOutcome(files: Workspace, path: string, bytes: number): Promise<ToolOutcome> {
  const blob = await files.blob?.(path)
  if (blob?.media_type.startsWith('image/')) {
    return {
      content: [
        { type: 'text', text: `${path} (${blob.media_type}, ${bytes} bytes)` },
        { type: 'image', source: blob },
      ],
      isError: false,
    }
  }
  return failure(
    `${path} is not a text file (${bytes} bytes). bash can look into it, e.g. file ${path} or od -c ${path} | head.`,
  )
}

/** Reads a text file as `12<tab>text` lines; an image becomes an image block where the workspace has it as a blob. */
export const readFileTool = (files: Workspace) =>
  defineTool({
    name: 'read_file',
    description:
      'Read a file of the workspace. Text comes as numbered lines: number, tab, text. Give "from" and "to" for a range of lines. A long file is cut, and a note at the end says how to go on.',
    effect: 'reads',
    input,
    example: { path: 'docs/guide.md', from: 1, to: 40 },
    async run({ path: raw, from = 1, to }) {
      const path = normalisePath(raw)
      if (!path.ok) return failure(path.error)
      const content = await files.read(path.value)
      if (content === null) return failure(await missing(files, path.value))
      if (typeof content !== 'string') return mediaOutcome(files, path.value, content.length)
      const lines = splitLines(content)
      if (lines.length === 0) return success(`[${path.value} is empty]`)
      if (from > lines.length)
        return failure(`${path.value} has ${lines.length} lines; "from" is ${from}.`)
      if (to !== undefined && to < from) return failure(`"to" (${to}) is before "from" (${from}).`)
      const end = Math.min(to ?? lines.length, lines.length)
      const page = pageOf(lines, from, end)
      return success(page.text + notesOf(path.value, page, from, end, lines.length))
    },
  })
