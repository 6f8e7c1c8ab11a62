import { z } from 'zod'
import { defineTool, failure, success } from './define'
import { cutAt } from './lines'
import { type Recall, type RecallEntry, titleOf } from './recall'

/** Characters of a page: 2k tokens by M1, and below the pruning threshold (X2). */
const PAGE_CHARS = 8_000

const input = z
  .strictObject({
    seq: z
      .int()
      .min(0)
      .optional()
      .describe('One message, or a checkpoint to read what it replaced'),
    from: z.int().min(0).optional(),
    to: z.int().min(0).optional(),
    page: z.int().min(1).optional(),
  })
  .refine(
    (value) => value.seq !== undefined || (value.from !== undefined && value.to !== undefined),
    {
      message: 'give "seq", or "from" and "to"',
    },
  )

/** Pages of whole text, cut at a line end where one is near, never inside a surrogate pair. */
export function pagesOf(entries: RecallEntry[]): string[] {
  let rest = entries.map((entry) => `${titleOf(entry)}\n${entry.text}`).join('\n\n')
  const pages: string[] = []
  while (rest.length > PAGE_CHARS) {
    const line = rest.lastIndexOf('\n', PAGE_CHARS)
    const page = line > PAGE_CHARS / 2 ? rest.slice(0, line + 1) : cutAt(rest, PAGE_CHARS)
    pages.push(page)
    rest = rest.slice(page.length)
  }
  return rest === '' && pages.length > 0 ? pages : [...pages, rest]
}

/** Reads messages by their numbers, also those compaction took out of view, a page at a time (K3). */
export const recallReadTool = (recall: Recall) =>
  defineTool({
    name: 'recall_read',
    description:
      'Read earlier messages of this conversation by number, also those compaction has taken out of view. "seq" of a checkpoint reads what it replaced. Long content comes in pages.',
    effect: 'reads',
    input,
    example: { from: 12, to: 20, page: 1 },
    async run({ seq, from = seq ?? 0, to = seq ?? 0, page = 1 }) {
      if (to < from) return failure(`"to" (${to}) is before "from" (${from}).`)
      const entries = await recall.read(from, to)
      const where = from === to ? `#${from}` : `#${from} to #${to}`
      if (entries.length === 0)
        return failure(`There is no message at ${where}. recall_search finds numbers.`)
      const pages = pagesOf(entries)
      const text = pages[page - 1]
      if (text === undefined)
        return failure(`${where} has ${pages.length} pages; "page" is ${page}.`)
      const next = page < pages.length ? `; go on with "page": ${page + 1}` : ''
      return success(
        pages.length === 1 ? text : `${text}\n[page ${page} of ${pages.length}${next}]`,
      )
    },
  })
