/** What the screen may know and do: state of the two stores and the actions, types only. */

import type { DraftResult } from '../agent/compact'
import type { Live } from '../agent/live'
import type { Params, Policy, Range, RequestHeader, Seq, SessionHeader } from '../core/event'
import type { FactKind } from '../core/facts'
import type { Log } from '../core/log'
import type { Explanation } from '../core/loop'
import type { Timeline } from '../core/projections/timeline'
import type { Transcript } from '../core/projections/transcript'
import type { UsageTotals } from '../core/projections/usage'
import type { RequestBody } from '../core/request'
import type { RestorePreview } from '../core/restore'
import type { QueuedMessage } from '../ports'
import type { ServedModel } from '../providers/wire'
import type { CheckedAll, CheckProgress } from '../storage/check-all'
import type { SearchHit } from '../storage/search'
import type { SessionUse } from '../storage/usage'
import type {
  ExportFormat,
  ExportOptions,
  ExportRun,
  SecretRules,
  SecretsFound,
} from './export-model'
import type { ConversationList } from './import-choice'
import type { KeyPlace } from './keys'
import type { ModelFacts } from './known-models'
import type { Fact, Source } from './model-list'
import type { OwnFacts } from './prices'

export type Panel = 'strata' | 'surface' | 'request' | 'log' | 'compare' | 'files'

/** What the URL holds: a link reopens the same view in this browser. `seq` null is LIVE. */
export type View = {
  session: string | null
  seq: Seq | null
  node: Seq | null
  panel: Panel
  /** The earlier moment of a comparison; the later one is the playhead. */
  compare: Seq | null
}

export type SessionSummary = {
  id: string
  title: string
  createdAt: number
  updatedAt: number
  events: number
  compactions: number
  model: string | null
  /** Tokens on the surface over the session, at most 60 points, newest last. */
  sparkline: number[]
  imported: boolean
  /** Bytes of its log, without attachments and files; null where it is not known. */
  bytes: number | null
  /** Work goes on in it, in this tab. */
  busy: boolean
}

/** What is absent is unknown. */
export type ModelInfo = ModelFacts & {
  provider: string
  id: string
  label: string
  about?: string
  /** Who says what; absent for the offline reader, of which nothing can be changed. */
  sources?: Partial<Record<Fact, Source>>
  /** What is known without the person's own words. */
  given?: ModelFacts
}

export type ServerStatus = {
  reachable: boolean
  /** Why it does not answer us, in words. */
  problem?: string
  keyConfigured: boolean
  /** Host name of the upstream, never a URL with credentials. */
  upstream: string | null
  /** Why its upstream gave no list of models, or only the beginning of one, in words. */
  listProblem?: string
  /** It demands an access token, which this browser has shown. */
  guarded: boolean
}

export type Settings = {
  theme: 'system' | 'light' | 'dark'
  /** Model, window and limits for new sessions. */
  model: { provider: string; id: string; contextWindow?: number; maxTokens?: number }
  /** What the person wrote over the facts of models. */
  models: OwnFacts
  summaries: 'model' | 'template'
  policy: Policy
  /** Facts of these kinds that a summary lost are written below it by code. */
  keepFacts: FactKind[]
  maxSteps: number
  system: string
  seenPrivacyNote: boolean
}

export type WorkspaceFile = {
  path: string
  bytes: number
  text: boolean
  changed: 'added' | 'modified' | 'deleted' | null
}

/** Lines of an imported file, and what is to be said of them. */
export type ImportRemark = { line: number; toLine?: number; reason: string }

export type ImportReport = {
  name: string
  sessionId: string | null
  /** How many sessions came of the file: branches, sub-agents and further conversations count. */
  sessions: number
  /** Another program wrote it: `read` counts its records, else events. */
  foreign: boolean
  read: number
  recovered: number
  rejected: ImportRemark[]
  /** Sound records that became no event; they are in the original. */
  kept: ImportRemark[]
  keptRecords: number
  /** What was changed so that the session can be continued. */
  mended: ImportRemark[]
  /** Foreign compactions by how surely their range is known. */
  compactions: { exact: number; derived: number; unknown: number }
  violations: { rule: string; seq: number; message: string }[]
  /** How it relates to what was here before. */
  note?: string
  /** Why nothing could be read. */
  problem?: string
}

/** A backup that was read and not yet restored: what is in it, and what of that can be read. */
export type BackupState =
  | { phase: 'saving' | 'reading' | 'restoring' }
  | {
      phase: 'read'
      createdAt: number
      sessions: { id: string; title: string; events: number; readable: number; here: boolean }[]
    }

/** What was found in all sessions for what was `typed`, newest first; hits stream in while it is running. */
export type SearchState = { typed: string; hits: SearchHit[]; running: boolean }

export type CheckState = ({ phase: 'running' } & CheckProgress) | ({ phase: 'done' } & CheckedAll)

export type TrashedSession = { id: string; title: string; trashedAt: number }

export type Toast = {
  id: string
  tone: 'plain' | 'error'
  title: string
  detail?: string
  action?: { label: string; run(): void }
  /** Stays until it is dismissed. */
  lasting?: true
}

export type AppState = {
  boot: 'loading' | 'ready' | 'failed'
  /** Why the app could not start (no IndexedDB, blocked upgrade), in words for people. */
  bootProblem: string | null
  sessions: SessionSummary[]
  settings: Settings
  server: ServerStatus | null
  /** As the server lists them; `models` adds what else is known. */
  served: ServedModel[]
  models: ModelInfo[]
  /** Where a key the person typed is kept. */
  typedKey: KeyPlace
  view: View
  storage: { usage: number; quota: number; persisted: boolean } | null
  /** Deleted sessions that can still be brought back, newest first. */
  trash: TrashedSession[]
  backup: BackupState | null
  search: SearchState | null
  /** What each session keeps, the largest first; null until it was measured. */
  uses: SessionUse[] | null
  check: CheckState | null
  toasts: Toast[]
  importing: { name: string; bytes: number; total: number } | null
  reports: ImportReport[]
  /** An export of many conversations waits to be told which of them to bring in. */
  choosing: { name: string; lists: ConversationList[] } | null
  /** Files that are being written. */
  exports: ExportRun[]
}

export type SessionState = {
  id: string
  status: 'loading' | 'ready' | 'missing' | 'damaged'
  problem: string | null
  /** `follower`: another tab writes this session; this one reads along. */
  role: 'writer' | 'follower'
  header: SessionHeader
  /** By reference; it grows in place. `version` (events held) tells when. */
  log: Log
  version: number
  transcript: Transcript
  timeline: Timeline
  usage: UsageTotals
  title: string
  /** What the next step will use; the log's last `request/header` may be older. */
  chosen: RequestHeader
  /** Requests carry no tool definitions. */
  toolsOff: boolean
  live: Live
  queue: QueuedMessage[]
  files: WorkspaceFile[]
  draft: string
  /** Files that go with the next message. */
  attached: readonly File[]
}

export type StartWith =
  | { kind: 'sample-workspace' }
  | { kind: 'empty' }
  | { kind: 'files'; files: { path: string; data: Uint8Array }[] }

/** Everything a person can do. None of them throws; what goes wrong becomes a toast or a state. */
export type Actions = {
  // view
  openSession(id: string): void
  /** Somebody seems about to open it: it is read ahead. */
  peekSession(id: string): void
  closeSession(): void
  setPlayhead(seq: Seq | null): void
  select(seq: Seq | null): void
  setPanel(panel: Panel): void
  setCompare(seq: Seq | null): void
  // sessions
  newSession(start: StartWith): Promise<void>
  openSample(): Promise<void>
  rename(id: string, title: string): Promise<void>
  /** Makes this tab the writer of the open session, which another tab has. */
  takeOver(): Promise<void>
  /** To the trash, with an undo toast. */
  remove(id: string): Promise<void>
  importFiles(files: readonly (File | { path: string; file: File })[]): Promise<void>
  cancelImport(): void
  /** Answers `choosing`: by path, the conversations to bring in. Null brings in none of the file. */
  chooseConversations(choice: ReadonlyMap<string, ReadonlySet<number>> | null): void
  /** Counts what each session keeps into `uses`: log, attachments, files, original. */
  measureStorage(): Promise<void>
  /** Reads every event of every session, in a worker; `check` tells how far it is and what was found. */
  checkSessions(): void
  /** Ends a check, or puts its result away. */
  stopCheck(): void
  /** Looks through all conversations for what is typed (search-query.ts); an empty text ends it. */
  search(typed: string): void
  /** Opens the session of a hit with its event selected. */
  openHit(id: string, seq: Seq): void
  /** Out of the trash, back into the list. */
  untrash(id: string): Promise<void>
  /** For good. */
  purge(id: string): Promise<void>
  /** Saves all sessions, files and settings as one zip. */
  backUp(): Promise<void>
  /** Looks at a backup; `backup` then says what is in it. Nothing changes yet. */
  readBackup(file: File): Promise<void>
  restoreBackup(mode: 'merge' | 'replace'): Promise<void>
  closeBackup(): Promise<void>
  dismissReport(name: string): void
  /** Saves a file, streamed; how far it has come is in `exports`. */
  exportSession(format: ExportFormat, options?: ExportOptions): Promise<void>
  /** What the file will be called, and its type. */
  exportName(format: ExportFormat, options: ExportOptions): { name: string; type: string }
  /** Ends an export; no file is left behind. */
  cancelExport(id: string): void
  /** Looks for secrets in what `format` takes along; null where that cannot be read, or `signal` ended it. */
  findSecrets(
    format: ExportFormat,
    rules: SecretRules,
    signal?: AbortSignal,
  ): Promise<SecretsFound | null>
  // chat
  /** False: nothing was sent, and what was written should stay with its writer. */
  /** `keep`: pinned from the moment it is in the log, so that no compaction takes it (K1). */
  send(text: string, attachments: File[], options?: { keep?: boolean }): Promise<boolean>
  sendNow(queuedId: string): Promise<void>
  unqueue(queuedId: string): Promise<void>
  stop(): void
  retry(): Promise<void>
  /** Of the session it was written in: by the time it is kept, another may be on screen. */
  saveDraft(session: string, text: string, files: readonly File[]): void
  compact(focus?: string): Promise<void>
  /** Each range becomes a summary of its own; a cancel ends all that is left. */
  compactRegions(ranges: readonly Range[], focus?: string): Promise<void>
  /** Ends a compaction or a draft that is being written. */
  cancelCompaction(): void
  /**
   * Summaries that wait for review, one for each run (C16): of these ranges, or null for what `compact`
   * would take. `model` writes them in place of the chosen one. Null: nothing to do, cancelled, or failed (a
   * toast says so). The text streams as `live.compaction`; `draftsOf(log)` lists all drafts.
   */
  draft(
    ranges: readonly Range[] | null,
    options?: { focus?: string; model?: string },
  ): Promise<DraftResult[] | null>
  /**
   * Commits exactly this text, without a model call; `literals` are put below it by code, within a budget.
   * False where it could not be: a toast says why (its span changed, it would not get smaller).
   */
  commitDraft(draftSeq: Seq, text: string, literals?: readonly string[]): Promise<boolean>
  /** Takes it out of `live.review`, for good; the draft stays in the log. */
  discardDraft(draftSeq: Seq): Promise<void>
  /** What a restore would come to, before it is done; null without a session. */
  restorePreview(seq: Seq): RestorePreview | null
  /** Takes a checkpoint or pruned result off the surface; a toast offers to undo it. */
  restore(replacementSeq: Seq): Promise<void>
  /** `restoreSeq`: the `surface/restore` event. */
  undoRestore(restoreSeq: Seq): Promise<void>
  /** What fills the window and what would help (C11); null without a session. */
  explainFloor(): Explanation | null
  setPins(seqs: Seq[], pinned: boolean): Promise<void>
  /** Whether requests carry tool definitions from now on; without them the model has no tools. */
  setTools(on: boolean): void
  /** A new session with the log up to and including this `turn/end`. */
  fork(turnEnd: Seq): Promise<void>
  /** A fork that ends before this message's turn, with the message in its composer (K2). */
  editInFork(messageSeq: Seq): Promise<void>
  /** The same, and what that turn began with is sent again at once (K2). */
  regenerateInFork(messageSeq: Seq): Promise<void>
  // choices
  chooseModel(
    provider: string,
    id: string,
    limits?: { contextWindow?: number; maxTokens?: number },
  ): void
  /** What the next request of this session uses: prompt, window, output limit, sampling, thinking. */
  setRequest(change: { system: string; contextWindow: number | undefined; params: Params }): void
  setPolicy(policy: Policy): void
  /** The provider's own count of the next request's input. Free of charge; null where no session is open. */
  countTokens(): Promise<{ tokens: number } | { problem: string } | null>
  updateSettings(change: Partial<Settings>): Promise<void>
  refreshServer(): Promise<void>
  /** Keeps a typed key for this tab, or in this browser when asked to remember it; null wipes it. */
  setKey(key: string | null, remember?: boolean): void
  /** Ends this browser's access to a server with an access token, wipes a typed key, and leaves. */
  signOut(): Promise<void>
  dismissToast(id: string): void
  // bodies
  readFile(path: string): Promise<{ text: string | null; base: string | null; bytes: number }>
  blobUrl(hash: string): Promise<string | null>
  /** A rebuilt body with the bytes of its media in it, as it was sent; rejects, in words, where they are gone. */
  wholeRequest(body: RequestBody): Promise<RequestBody>
}
