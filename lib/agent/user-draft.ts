/** What people and this program say to the model. */

import type { DraftOf, Seq } from '../core/event'
import type { Block } from '../core/message'
import type { Session } from './session'

export const userDraft = (
  id: string,
  content: Block[],
  kind: 'human' | 'notice' = 'human',
): DraftOf<'user/message'> => ({
  type: 'user/message',
  data: { id, content, source: { kind } },
  surfaceOp: 'append',
})

/** The same, pinned in the same transaction where a person asked to keep it (K1). `seq`: where it will stand. */
export const keptDrafts = (
  id: string,
  content: Block[],
  seq: Seq,
  keep: boolean | undefined,
): (DraftOf<'user/message'> | DraftOf<'pin/set'>)[] => [
  userDraft(id, content),
  ...(keep ? [{ type: 'pin/set' as const, data: { seqs: [seq], pinned: true } }] : []),
]

/** A word of this program's own, shown as such. */
export const noticeDraft = ({ deps }: Session, text: string): DraftOf<'user/message'> =>
  userDraft(deps.newId(), [{ type: 'text', text }], 'notice')
