import { z } from 'zod'
import type { Tool } from '../ports'
import { defineTool, success } from './define'

const input = z.strictObject({
  focus: z.string().max(2000).optional().describe('What the summary must keep in any case'),
})

/** Asks the loop to compact after this step (C12). */
export const compactTool = (): Tool =>
  defineTool({
    name: 'compact',
    description:
      'Have older messages of this conversation replaced by a summary, to make room. Runs after this step; shadowed content stays readable through recall_search and recall_read.',
    effect: 'reads',
    input,
    example: { focus: 'decisions and open work' },
    run: async ({ focus }) => ({
      ...success(
        `Compaction is scheduled for the end of this step${focus ? `, with this focus: ${focus}` : ''}.`,
      ),
      compact: focus ? { focus } : {},
    }),
  })
