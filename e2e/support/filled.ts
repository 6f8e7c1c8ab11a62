/** A session on the model with the small window that has something worth a summary in it. */

import type { Locator, Page } from '@playwright/test'
import { ask, conversation, startChat } from './workbench'

export const SMALL = 'Small window'
export const FILES = [
  'berth_planner.py',
  'crane_dispatch.py',
  'customs_clerk.py',
  'ledger_keeper.py',
]

/** Words that make the stand-in read these files of agents/. */
export const reading = (names: readonly string[]): string =>
  names.map((name) => `[[call: read_file {"path":"agents/${name}"}]]`).join(' ')

/** About 6,000 tokens of results, below the threshold of 9,600, and a few words after them. */
export async function filled(page: Page, word: string, directives = ''): Promise<void> {
  await startChat(page, SMALL)
  await ask(page, `${word} ${reading(FILES.slice(0, 3))} ${directives}`, 'That is done.')
  await ask(page, `small talk ${word}`, 'small talk')
}

/** Rows of the chat, by who wrote them. */
export const rows = (page: Page, kind: 'user' | 'assistant'): Locator =>
  conversation(page).locator(`article[data-kind="${kind}"]`)
