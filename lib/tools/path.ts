/** Paths of workspace files: relative, `/` between segments, the same text for the same file. */

import { err, ok, type Result } from '../core/result'

const MAX_PATH = 1024
const MAX_SEGMENT = 255
/** Where the shell sees the workspace; models copy such paths from its output. */
export const SHELL_ROOT = '/workspace'

// Control characters, line separators and the marks that turn the direction of text around: they make
// a name look like another one.
const HOSTILE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to refuse
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/
const RESERVED = '__proto__'

const refusal = (path: string, why: string): Result<string, string> =>
  err(
    `The path ${JSON.stringify(path.slice(0, 120))} ${why}. Use a path inside the workspace such as "docs/guide.md".`,
  )

/**
 * The one spelling of a path, or a sentence on why it is refused. A leading `/`, `./` or
 * `/workspace/` means the root of the workspace; nothing leads out of it.
 */
export function normalisePath(path: string): Result<string, string> {
  if (path.length > MAX_PATH) return refusal(path, `is longer than ${MAX_PATH} characters`)
  if (HOSTILE.test(path) || !path.isWellFormed())
    return refusal(path, 'holds characters that no file name may have')
  if (path.includes('\\')) return refusal(path, 'holds a backslash; folders are parted by "/"')
  if (/^[a-z]:\//i.test(path)) return refusal(path, 'names a drive')
  const inside =
    path === SHELL_ROOT
      ? ''
      : path.startsWith(`${SHELL_ROOT}/`)
        ? path.slice(SHELL_ROOT.length)
        : path
  const segments = inside.split('/').filter((part) => part !== '' && part !== '.')
  if (segments.length === 0) return refusal(path, 'names no file')
  for (const segment of segments) {
    if (segment === '..') return refusal(path, 'leads upwards with ".."')
    if (segment.length > MAX_SEGMENT)
      return refusal(path, `holds a name longer than ${MAX_SEGMENT} characters`)
    if (segment === RESERVED)
      return refusal(path, `holds the name "${segment}", which is not allowed`)
    if (segment.trim() !== segment)
      return refusal(path, 'holds a name that begins or ends with a space')
  }
  return ok(segments.join('/').normalize('NFC'))
}

/** A folder for listing: like `normalisePath`, but the root itself is `''`. */
export function normaliseFolder(path: string): Result<string, string> {
  return /^(\/|\.|\.\/|\/workspace\/?|)$/.test(path) ? ok('') : normalisePath(path)
}
