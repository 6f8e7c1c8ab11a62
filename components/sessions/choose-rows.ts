/** Conversations of an export as rows to choose from, pure. */

import type { AppState } from '@/lib/state/model'

type Lists = NonNullable<AppState['choosing']>['lists']

export type ChoiceRow = {
  key: string
  path: string
  index: number
  title: string
  updatedAt: number | null
  messages: number
}

/** Newest first; those without a date at the end, in file order. */
export function rowsOf(lists: Lists): ChoiceRow[] {
  const rows = lists.flatMap(({ path, conversations }) =>
    conversations.map((one) => ({ ...one, path, key: `${one.index} ${path}` })),
  )
  return rows.sort((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0))
}

/** Rows whose title holds what was typed, in whatever case. */
export function matching(rows: readonly ChoiceRow[], typed: string): ChoiceRow[] {
  const wanted = typed.trim().toLocaleLowerCase()
  return rows.filter(({ title }) => title.toLocaleLowerCase().includes(wanted))
}

/** By path, the records that were chosen; a file of which none was has an empty set. */
export function choiceOf(
  rows: readonly ChoiceRow[],
  chosen: ReadonlySet<string>,
): Map<string, Set<number>> {
  const choice = new Map<string, Set<number>>()
  for (const { key, path, index } of rows) {
    const own = choice.get(path) ?? new Set<number>()
    choice.set(path, own)
    if (chosen.has(key)) own.add(index)
  }
  return choice
}
