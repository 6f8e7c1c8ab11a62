/** Composer text that was not sent yet, one draft a session. */

import type { Block } from '../core/message'
import type { Database } from './db'
import { guarded } from './failure'
import { draftRow } from './rows'

export type Draft = { text: string; attachments: Block[] }

const EMPTY: Draft = { text: '', attachments: [] }

/** An empty draft where there is none. */
export const readDraft = (db: Database, sessionId: string): Promise<Draft> =>
  guarded('read the draft', async () => {
    const parsed = draftRow.safeParse(await db.relaxed.drafts.get(sessionId))
    if (!parsed.success) return EMPTY
    const { text, attachments } = parsed.data
    return { text, attachments }
  })

export const saveDraft = (db: Database, sessionId: string, draft: Draft): Promise<void> =>
  guarded('keep the draft', async () => {
    const empty = draft.text === '' && draft.attachments.length === 0
    if (empty) await db.relaxed.drafts.delete(sessionId)
    else await db.relaxed.drafts.put({ sessionId, ...draft })
  })
