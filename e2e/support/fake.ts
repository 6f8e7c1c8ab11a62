/** What the stand-in for the Messages API saw. It is shared by all tests: look only for a text of your own. */

import { randomBytes } from 'node:crypto'
import { expect } from '@playwright/test'

const FAKE = `http://127.0.0.1:${process.env.E2E_FAKE_PORT ?? 3312}`

export type Entry = {
  id: number
  kind: 'step' | 'summary' | null
  status: number | null
  model: string | null
  startedAt: number
  firstByteAt: number | null
  closedAt: number | null
  finished: boolean
  deltas: number
  usage: Record<string, number> | null
  stopReason: string | null
  error: string | null
  // biome-ignore lint/suspicious/noExplicitAny: the body as it came over the wire
  body: any
}

/** A word that no other test says. */
export const unique = (word: string): string => `${word}-${randomBytes(4).toString('hex')}`

/** Requests whose body holds `text`, oldest first. */
export async function requestsWith(text: string): Promise<Entry[]> {
  const url = `${FAKE}/__control/log?bodies=1&match=${encodeURIComponent(text)}`
  return (await (await fetch(url)).json()) as Entry[]
}

/** Waits for the newest of them to have begun and answers it. */
export async function begun(text: string, kind: 'step' | 'summary' = 'step'): Promise<Entry> {
  const newest = async () => (await requestsWith(text)).filter((one) => one.kind === kind).at(-1)
  await expect.poll(async () => (await newest())?.firstByteAt ?? 0).toBeGreaterThan(0)
  return (await newest())!
}

/** Waits until that request's connection is closed; milliseconds from `since` to then, and whether it was answered whole. */
export async function closed(
  { id }: Entry,
  text: string,
  since: number,
): Promise<{ after: number; finished: boolean }> {
  const same = async () => (await requestsWith(text)).find((one) => one.id === id)
  await expect.poll(async () => (await same())?.closedAt ?? null).not.toBeNull()
  const entry = (await same())!
  return { after: entry.closedAt! - since, finished: entry.finished }
}
