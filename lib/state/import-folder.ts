/** Sessions that lie in a folder as many small files, put together before they are read as one. */

import { isOfOpencode, putTogether } from '../formats/opencode-folder'
import type { FileToImport } from './import-files'
import { failedImport } from './import-report'
import type { ImportReport } from './model'

export type Gathered = {
  files: FileToImport[]
  /** What could not become part of a session. */
  reports: ImportReport[]
  /** Paths of what was put together. */
  notes: Map<string, string>
}

/** opencode's folders as one file a session; all other files as they are. */
export async function gatherFolders(given: readonly FileToImport[]): Promise<Gathered> {
  const stored = given.filter(({ path }) => isOfOpencode(path))
  const gathered: Gathered = {
    files: given.filter(({ path }) => !isOfOpencode(path)),
    reports: [],
    notes: new Map(),
  }
  if (stored.length === 0) return gathered
  const used = new Set<string>()
  const texts = stored.map(({ path, file }) => ({ path, text: () => file.text() }))
  for await (const { path, document, files, broken } of putTogether(texts)) {
    for (const one of files) used.add(one)
    const lastModified = stored.find((one) => one.path === path)?.file.lastModified
    gathered.files.push({ path, file: new File([document], path, { lastModified }) })
    gathered.notes.set(path, `Put together from ${files.length} files of an opencode folder.`)
    for (const one of broken) gathered.reports.push(failedImport(one, 'It is no JSON.'))
  }
  for (const { path } of stored) {
    if (used.has(path)) continue
    gathered.reports.push(failedImport(path, 'The opencode session it belongs to is not here.'))
  }
  return gathered
}
