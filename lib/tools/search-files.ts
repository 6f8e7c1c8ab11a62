import { z } from 'zod'
import { defineTool, failure, success } from './define'
import { selectFiles } from './list-files'
import { MAX_MATCHES, runSearch, type SearchFound, type SearchJob } from './search'
import { inPlace, type RunJob, runInWorker } from './worker'
import type { Workspace } from './workspace'

const MAX_CHARS = 16_000
const REGEX_MS = 5_000

const input = z.strictObject({
  query: z.string().min(1),
  path: z.string().optional().describe('Folder, file or glob to search in; everything if left out'),
  regex: z.boolean().optional().describe('"query" is a JavaScript regular expression'),
  ignore_case: z.boolean().optional(),
  context: z.int().min(0).max(5).optional().describe('Lines shown around each match'),
})

export type RunSearch = RunJob<SearchJob, SearchFound>

export const searchInWorker: RunSearch = (job, signal, timeoutMs) =>
  runInWorker(
    () => new Worker(new URL('./search.worker.ts', import.meta.url), { type: 'module' }),
    job,
    signal,
    timeoutMs,
  )

const searchInPlace: RunSearch = inPlace(async (job: SearchJob) => runSearch(job))

/** `path:line: text` for matches, `path-line- text` for context, as grep does. */
function format(found: SearchFound, query: string, searched: number): string {
  if (found.matches === 0)
    return `No match for ${JSON.stringify(query)} in ${searched} ${searched === 1 ? 'file' : 'files'}.`
  const rows: string[] = []
  let size = 0
  let shown = 0
  for (const { path, line, text, match } of found.lines) {
    const mark = match ? ':' : '-'
    const row = `${path}${mark}${line}${mark} ${text}`
    if (size + row.length > MAX_CHARS) break
    rows.push(row)
    size += row.length + 1
    if (match) shown++
  }
  const head = `${found.complete ? found.matches : `More than ${MAX_MATCHES}`} ${found.matches === 1 ? 'match' : 'matches'} in ${found.files} ${found.files === 1 ? 'file' : 'files'}:`
  const cut = shown < found.matches || !found.complete
  return `${head}\n${rows.join('\n')}${cut ? `\n[the first ${shown} matches shown; give a narrower query or path]` : ''}`
}

/** Searches text files for a literal text or a regular expression, line by line. */
export const searchFilesTool = (files: Workspace, runRegex: RunSearch = searchInWorker) =>
  defineTool({
    name: 'search_files',
    description:
      'Search text files line by line for a literal text, or a regular expression with "regex". One line a match: path:line: text.',
    effect: 'reads',
    input,
    example: { query: 'def \\w+_total', regex: true, path: 'src' },
    async run({ query, path = '', regex = false, ignore_case = false, context = 0 }, signal) {
      if (query.includes('\n'))
        return failure('"query" holds a line end; lines are searched one by one.')
      const selected = selectFiles(await files.list(), path)
      if ('error' in selected) return failure(selected.error)
      const texts: SearchJob['files'] = []
      for (const file of selected.files) {
        if (!file.text) continue
        const text = await files.read(file.path)
        if (typeof text === 'string') texts.push({ path: file.path, text })
      }
      if (texts.length === 0)
        return failure(`There are no text files at ${path || 'the workspace'}.`)
      const job = { files: texts, query, regex, ignoreCase: ignore_case, context }
      const result = await (regex ? runRegex : searchInPlace)(job, signal, REGEX_MS)
      switch (result.kind) {
        case 'done':
          return success(format(result.value, query, texts.length))
        case 'failed':
          return failure(
            `The search failed: ${result.message}. For a literal text leave out "regex".`,
          )
        case 'timeout':
          return failure(
            `The regular expression took longer than ${REGEX_MS / 1000} s and was stopped. Use a simpler one without nested repeats.`,
          )
        case 'aborted':
          return failure('Stopped.')
      }
    },
  })
