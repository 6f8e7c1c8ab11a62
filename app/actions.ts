'use server'

import { headers } from 'next/headers'
import { openSummary } from '@/lib/server/summaries'

/**
 * Makes a summary: the whole request as one Blob (`SummaryRequest` as JSON), progress streamed back as
 * `ModelEvent`s. Returns at once, so that it does not hold up the page's next action; never throws.
 * `DELETE /api/summaries/{id}` ends it.
 */
export async function summarise(payload: Blob) {
  return openSummary(payload, await headers())
}
