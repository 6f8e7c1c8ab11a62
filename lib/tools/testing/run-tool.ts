import { textOf } from '../../core/message'
import type { Tool } from '../../ports'
import type { Recall } from '../recall'
import { noRecall } from '../recall'
import { runSearch, type SearchJob } from '../search'
import { runShell, type ShellJob } from '../shell'
import { createTools } from '../tools'
import { inPlace } from '../worker'
import type { Workspace } from '../workspace'

/** All tools with their jobs run in place. */
export const toolsInPlace = (files: Workspace, recall: Recall = noRecall): Tool[] =>
  createTools({
    files,
    recall,
    runShell: inPlace((job: ShellJob) => runShell(job)),
    runRegex: inPlace(async (job: SearchJob) => runSearch(job)),
  })

/** Runs a tool by name and gives its text, prefixed with `ERROR ` when it failed. */
export async function runTool(tools: Tool[], name: string, input: unknown): Promise<string> {
  const tool = tools.find((candidate) => candidate.spec.name === name)
  if (!tool) throw new Error(`no tool ${name}`)
  const outcome = await tool.run(input, new AbortController().signal)
  return `${outcome.isError ? 'ERROR ' : ''}${textOf(outcome.content)}`
}
