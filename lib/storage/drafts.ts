/** What the composer holds and was not sent yet, one draft a session: its text and the files with it. */

import type { Block } from '../core/message'
import { releaseUses } from './blobs'
import type { Database } from './db'
import { guarded } from './failure'
import { draftRow } from './rows'

export type Draft = { text: string; attachments: Block[] }

const EMPTY: Draft = { text: '', attachments: [] }

/** In whose name a draft's media are kept: not the session's, so that they go when they are not sent. */
export const draftOwner = (sessionId: string): string => `draft ${sessionId}`

/** An empty draft where there is none. */
export const readDraft = (db: Database, sessionId: string): Promise<Draft> =>
  guarded('read the draft', async () => {
    const parsed = draftRow.safeParse(await db.relaxed.drafts.get(sessionId))
    if (!parsed.success) return EMPTY
    const { text, attachments } = parsed.data
    return { text, attachments }
  })

/**
 * Asked for and committed in one go, without a step that would need the page to live on: a page that is
 * just being left still gets its draft stored.
 */
export const saveDraft = (db: Database, sessionId: string, draft: Draft): Promise<void> =>
  guarded(
    'keep the draft',
    () =>
      new Promise<void>((resolve, reject) => {
        const transaction = db.relaxed
          .backendDB()
          .transaction('drafts', 'readwrite', { durability: 'relaxed' })
        transaction.oncomplete = () => resolve()
        transaction.onabort = () => reject(transaction.error)
        const table = transaction.objectStore('drafts')
        if (draft.text === '' && draft.attachments.length === 0) table.delete(sessionId)
        else table.put({ sessionId, ...draft })
        transaction.commit()
      }),
  )

/** Lets go of the media of a session's draft, but for these. */
export const releaseDraft = (
  db: Database,
  sessionId: string,
  except: readonly string[] = [],
): Promise<void> =>
  guarded('let go of the draft’s files', () => {
    const tables = db.relaxed
    return tables.transaction('rw', tables.blobs, tables.blobUses, () =>
      releaseUses(tables, draftOwner(sessionId), except),
    )
  })
