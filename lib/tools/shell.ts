/** One command in just-bash over a copy of the workspace. Runs in a worker; in tests, in place. */

import { Bash } from 'just-bash/browser'
import { normalisePath, SHELL_ROOT } from './path'
import { type Content, decodeContent, encodeContent, sameContent } from './workspace'

export type ShellJob = { command: string; files: { path: string; content: Content }[] }

export type ShellFound = {
  stdout: string
  stderr: string
  exitCode: number
  written: { path: string; content: Content }[]
  removed: string[]
  /** Paths the command made that a workspace cannot hold (links, hostile names). */
  dropped: string[]
}

const LIMITS = {
  maxCommandCount: 1_000_000,
  maxLoopIterations: 1_000_000,
  maxCallDepth: 200,
  maxOutputSize: 4 * 1024 * 1024,
  maxFileSystemBytes: 256 * 1024 * 1024,
}

/** Runs `command` in `/workspace` and says what it changed there. */
export async function runShell({ command, files }: ShellJob): Promise<ShellFound> {
  const before = new Map(files.map((file) => [file.path, file.content]))
  const bash = new Bash({
    files: Object.fromEntries(
      files.map((file) => [`${SHELL_ROOT}/${file.path}`, encodeContent(file.content)]),
    ),
    cwd: SHELL_ROOT,
    env: { HOME: SHELL_ROOT },
    executionLimits: LIMITS,
  })
  if (files.length === 0) await bash.fs.mkdir(SHELL_ROOT, { recursive: true })
  const { stdout, stderr, exitCode } = await bash.exec(command)
  const found: ShellFound = { stdout, stderr, exitCode, written: [], removed: [], dropped: [] }
  const after = new Set<string>()
  for (const full of bash.fs.getAllPaths().sort()) {
    if (!full.startsWith(`${SHELL_ROOT}/`)) continue
    const stat = await bash.fs.lstat(full)
    if (stat.isDirectory) continue
    const path = full.slice(SHELL_ROOT.length + 1)
    const normal = normalisePath(path)
    if (stat.isSymbolicLink || !normal.ok || normal.value !== path) {
      found.dropped.push(path)
      continue
    }
    after.add(path)
    const bytes = await bash.fs.readFileBuffer(full)
    const old = before.get(path)
    if (old !== undefined && sameContent(encodeContent(old), bytes)) continue
    found.written.push({ path, content: decodeContent(bytes) })
  }
  found.removed = [...before.keys()].filter((path) => !after.has(path))
  return found
}
