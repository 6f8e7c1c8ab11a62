/**
 * opencode's storage as it lies on disk, a file for each session, message and part, put together as the one
 * document its own export is. Every text goes in as it stands.
 */

export type StoredFile = { path: string; text(): Promise<string> }

export type PutTogether = {
  /** Path of the session's file. */
  path: string
  document: string
  /** Paths of all files it was made of. */
  files: string[]
  /** Files of it that are no JSON, and stand in no document. */
  broken: string[]
}

/** `storage/session/<project>/<id>.json`; older versions had a folder less. */
const SESSION = /(?:^|\/)session\/(?:[^/]+\/)?(ses_[^/]+)\.json$/
const MESSAGE = /(?:^|\/)message\/(ses_[^/]+)\/(msg_[^/]+)\.json$/
const PART = /(?:^|\/)part\/(?:ses_[^/]+\/)?(msg_[^/]+)\/(prt_[^/]+)\.json$/

export const isOfOpencode = (path: string): boolean =>
  [SESSION, MESSAGE, PART].some((pattern) => pattern.test(path))

function grouped(files: readonly StoredFile[], pattern: RegExp): Map<string, StoredFile[]> {
  const groups = new Map<string, StoredFile[]>()
  // Ids sort by time.
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    const key = pattern.exec(file.path)?.[1]
    if (key === undefined) continue
    const group = groups.get(key)
    if (group) group.push(file)
    else groups.set(key, [file])
  }
  return groups
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** One document for each session whose file is there. Files of no such session are left to the caller. */
export async function* putTogether(files: readonly StoredFile[]): AsyncGenerator<PutTogether> {
  const messages = grouped(files, MESSAGE)
  const parts = grouped(files, PART)
  for (const [id, [session]] of grouped(files, SESSION)) {
    if (!session) continue
    const broken: string[] = []
    const used: string[] = []
    const read = async (file: StoredFile): Promise<string | null> => {
      const text = (await file.text()).replace(/^\ufeff/, '')
      used.push(file.path)
      if (isJson(text)) return text
      broken.push(file.path)
      return null
    }
    const said: string[] = []
    const info = await read(session)
    for (const message of messages.get(id) ?? []) {
      const own = await read(message)
      const messageId = MESSAGE.exec(message.path)?.[2] ?? ''
      const texts: string[] = []
      for (const part of parts.get(messageId) ?? []) texts.push((await read(part)) ?? '')
      const whole = texts.filter((text) => text !== '').join(',')
      said.push(`{"info":${own ?? JSON.stringify({ id: messageId })},"parts":[${whole}]}`)
    }
    const document = `{"info":${info ?? JSON.stringify({ id })},"messages":[${said.join(',')}]}`
    yield { path: session.path, document, files: used, broken }
  }
}
