import { z } from 'zod'
import type { ToolOutcome } from '../ports'
import { defineTool, failure } from './define'
import { clipMiddle } from './lines'
import type { ShellFound, ShellJob } from './shell'
import { type RunJob, runInWorker } from './worker'
import type { Workspace } from './workspace'

const DEFAULT_SECONDS = 20
const MAX_SECONDS = 120
const MAX_OUTPUT = 16_000
const PATHS_NAMED = 20

const input = z.strictObject({
  command: z.string().min(1).max(100_000),
  timeout_seconds: z.int().min(1).max(MAX_SECONDS).optional(),
})

export type RunShell = RunJob<ShellJob, ShellFound>

/** Lazy twice over: the worker, and with it just-bash (400 kB), is loaded with the first command. */
export const shellInWorker: RunShell = (job, signal, timeoutMs) =>
  runInWorker(
    () => new Worker(new URL('./bash.worker.ts', import.meta.url), { type: 'module' }),
    job,
    signal,
    timeoutMs,
  )

async function snapshot(files: Workspace): Promise<ShellJob['files']> {
  const out: ShellJob['files'] = []
  for (const { path, changed } of await files.list()) {
    const content = changed === 'deleted' ? null : await files.read(path)
    if (content !== null) out.push({ path, content })
  }
  return out
}

const named = (word: string, paths: string[]): string[] =>
  paths.length === 0
    ? []
    : [
        `${word} ${paths.slice(0, PATHS_NAMED).join(', ')}${paths.length > PATHS_NAMED ? ` and ${paths.length - PATHS_NAMED} more` : ''}`,
      ]

function format(found: ShellFound): string {
  const parts: string[] = []
  const clip = (text: string) =>
    clipMiddle(text.replace(/\n+$/, ''), MAX_OUTPUT, 'use head, tail or a file to see the rest')
  if (found.stdout.trim() !== '') parts.push(clip(found.stdout))
  if (found.stderr.trim() !== '') parts.push(`[stderr]\n${clip(found.stderr)}`)
  if (found.exitCode !== 0) parts.push(`[exit code ${found.exitCode}]`)
  const changes = [
    ...named(
      'wrote',
      found.written.map((file) => file.path),
    ),
    ...named('deleted', found.removed),
    ...named('did not keep (links and such names are not supported)', found.dropped),
  ]
  if (changes.length > 0) parts.push(`[workspace: ${changes.join('; ')}]`)
  return parts.length > 0 ? parts.join('\n') : '[no output]'
}

async function outcomeOf(files: Workspace, found: ShellFound): Promise<ToolOutcome> {
  for (const { path, content } of found.written) await files.write(path, content)
  for (const path of found.removed) await files.remove(path)
  // diff and grep say with a quiet 1 that files differ or nothing matched: an answer, not a failure.
  const isAnswer = found.exitCode === 0 || (found.exitCode === 1 && found.stderr.trim() === '')
  return { content: [{ type: 'text', text: format(found) }], isError: !isAnswer }
}

/** Runs a shell command over the workspace; its changes come back when it ends, and only then. */
export const bashTool = (files: Workspace, run: RunShell = shellInWorker) =>
  defineTool({
    name: 'bash',
    description:
      'Run a command in a simulated bash in /workspace: ls, cat, grep, rg, sed, awk, jq, find, sort, uniq, wc, diff, xargs and other text tools with pipes and loops. No network, no python or node. Every call begins in /workspace with a fresh shell; file changes are kept.',
    effect: 'changes',
    input,
    example: { command: 'wc -l docs/*.md | sort -n' },
    async run({ command, timeout_seconds = DEFAULT_SECONDS }, signal) {
      const job = { command, files: await snapshot(files) }
      const result = await run(job, signal, timeout_seconds * 1000)
      switch (result.kind) {
        case 'done':
          return signal.aborted
            ? failure('Stopped. Nothing the command changed was kept.')
            : outcomeOf(files, result.value)
        case 'failed':
          return failure(`The shell could not run the command: ${result.message}`)
        case 'timeout':
          return failure(
            `The command was stopped after ${timeout_seconds} s; nothing it changed was kept. Give "timeout_seconds" up to ${MAX_SECONDS}, or a smaller task.`,
          )
        case 'aborted':
          return failure('Stopped. Nothing the command changed was kept.')
      }
    },
  })
