/** The tools a model is offered, over one workspace and one log. */

import type { Tool } from '../ports'
import { bashTool, type RunShell } from './bash'
import { compactTool } from './compact'
import { editFileTool } from './edit-file'
import { listFilesTool } from './list-files'
import { readFileTool } from './read-file'
import type { Recall } from './recall'
import { recallReadTool } from './recall-read'
import { recallSearchTool } from './recall-search'
import { type RunSearch, searchFilesTool } from './search-files'
import type { Workspace } from './workspace'
import { writeFileTool } from './write-file'

/** All tools, always in this order: the order is part of a request's cached prefix (Q6). */
export function createTools(deps: {
  files: Workspace
  recall: Recall
  /** Left out in the browser, where a worker runs them. */
  runShell?: RunShell
  runRegex?: RunSearch
}): Tool[] {
  return [
    readFileTool(deps.files),
    writeFileTool(deps.files),
    editFileTool(deps.files),
    listFilesTool(deps.files),
    searchFilesTool(deps.files, deps.runRegex),
    bashTool(deps.files, deps.runShell),
    compactTool(),
    recallSearchTool(deps.recall),
    recallReadTool(deps.recall),
  ]
}
