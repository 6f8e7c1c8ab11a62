/** Exports of many conversations: which of them to bring in is asked once for all files of an archive. */

import { type Conversation, listConversations } from '../formats/conversations'
import { openTranscript } from '../formats/open'
import type { FileToImport } from './import-files'

/** The conversations of one file. */
export type ConversationList = { path: string; conversations: Conversation[] }

/** What a person chose: by path, the records to read. Files that are not named are read whole. */
export type Choice = ReadonlyMap<string, ReadonlySet<number>>

/** Null: none of them. */
export type Choose = (name: string, lists: ConversationList[]) => Promise<Choice | null>

const NOTHING: Choice = new Map()

/** Asks where files hold more than one conversation together. Rejects with the signal's reason. */
export async function askFor(
  choose: Choose | undefined,
  name: string,
  files: readonly FileToImport[],
  signal: AbortSignal | undefined,
): Promise<Choice | null> {
  if (!choose) return NOTHING
  const lists: ConversationList[] = []
  for (const { file, path } of files) {
    const opened = await openTranscript(file, { signal, sha256: '-', name: path })
    if (opened.kind !== 'foreign') continue
    const conversations = await listConversations(opened.format, file, { signal })
    if (conversations.length > 0) lists.push({ path, conversations })
  }
  const count = lists.reduce((sum, { conversations }) => sum + conversations.length, 0)
  if (count <= 1) return NOTHING
  const choice = await choose(name, lists)
  signal?.throwIfAborted()
  return choice
}

/** Finds a file that came along by how its name begins; exports name their media so. */
export function besideFiles(
  files: readonly FileToImport[],
): (name: string) => Promise<Blob | null> {
  /** Made at the first question: most files have none. */
  let names: [name: string, file: File][] | null = null
  return async (name) => {
    names ??= files.map(({ path, file }) => [path.split('/').at(-1) ?? path, file])
    return names.find(([found]) => found.startsWith(name))?.[1] ?? null
  }
}
