/** A file that is not there: what the model may have meant. */

import type { Workspace } from './workspace'

const SHOWN = 5

/** A sentence saying that `path` is not there and which paths are near it. */
export async function missing(files: Workspace, path: string): Promise<string> {
  const paths = (await files.list())
    .filter((file) => file.changed !== 'deleted')
    .map((file) => file.path)
  const inside = paths.filter((other) => other.startsWith(`${path}/`))
  if (inside.length > 0) {
    return `${path} is a folder with ${inside.length} files, not a file. List it with list_files {"path": "${path}"}.`
  }
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const stem = name.replace(/\.[^.]*$/, '')
  const near = paths.filter(
    (other) => other.toLowerCase().endsWith(`/${name}`) || other.toLowerCase() === name,
  )
  const like =
    near.length > 0
      ? near
      : paths.filter((other) => stem.length > 2 && other.toLowerCase().includes(stem))
  const hint =
    like.length > 0
      ? ` Did you mean ${like.slice(0, SHOWN).join(', ')}?`
      : ' list_files shows what is there.'
  return `There is no file ${path}.${hint}`
}
