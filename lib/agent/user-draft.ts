/** What people and this program say to the model. */

import type { DraftOf } from '../core/event'
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

/** A word of this program's own, shown as such. */
export const noticeDraft = ({ deps }: Session, text: string): DraftOf<'user/message'> =>
  userDraft(deps.newId(), [{ type: 'text', text }], 'notice')
