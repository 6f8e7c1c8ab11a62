import { z } from 'zod'
import { defineTool, success } from './define'
import { cutAt } from './lines'
import { matchingLines, type Recall, titleOf } from './recall'

const MAX_HITS = 8
const LINES_PER_HIT = 4
const MAX_LINE = 240

const input = z.strictObject({
  query: z.string().min(1).max(500).describe('Words that must all occur'),
})

/** Finds shadowed messages by their words and shows the lines that match (K3). */
export const recallSearchTool = (recall: Recall) =>
  defineTool({
    name: 'recall_search',
    description:
      'Search earlier messages of this conversation that compaction has taken out of view. Gives their numbers and matching lines; recall_read reads one in full.',
    effect: 'reads',
    input,
    example: { query: 'threshold config' },
    async run({ query }) {
      const hits = await recall.search(query, MAX_HITS + 1)
      if (hits.length === 0) {
        return success(
          `Nothing out of view holds all of ${JSON.stringify(query)}. Try fewer or other words.`,
        )
      }
      const parts = hits.slice(0, MAX_HITS).map((hit) => {
        const lines = matchingLines(hit.text, query, LINES_PER_HIT)
        return `${titleOf(hit)}\n${lines.map((line) => `  ${cutAt(line.text, MAX_LINE)}`).join('\n')}`
      })
      const more =
        hits.length > MAX_HITS ? `\n[more than ${MAX_HITS} messages match; add a word]` : ''
      return success(`${parts.join('\n')}${more}`)
    },
  })
