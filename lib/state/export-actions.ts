/** What leaves: the log, the conversation in every format, one request, the workspace. */

import { findSecrets } from '../formats/find-secrets'
import { getBlob } from '../storage/blobs'
import type { AppContext } from './app-context'
import type { ExportFormat, ExportOptions, ExportRun } from './export-model'
import { type ExportSource, redactedSource, sourceOf, type Watch } from './export-sources'
import {
  exportName,
  type Written,
  writtenLog,
  writtenOriginal,
  writtenRequest,
  writtenWorkspace,
} from './export-written'
import type { LiveSession } from './live-session'
import type { Actions } from './model'
import { saveStream } from './save'
import { wholeRequest } from './whole-request'

type ExportActions = Pick<
  Actions,
  | 'exportSession'
  | 'exportName'
  | 'cancelExport'
  | 'findSecrets'
  | 'readFile'
  | 'blobUrl'
  | 'wholeRequest'
>

/** Milliseconds between two tellings of how far an export has come. */
const TELL = 100

function nameOf(
  live: LiveSession,
  source: ExportSource,
  format: ExportFormat,
  options: ExportOptions,
) {
  const { origin } = live.store.getState().header
  return exportName(format, source.title, source.at, options, origin?.name)
}

async function written(
  app: AppContext,
  live: LiveSession,
  source: ExportSource,
  format: ExportFormat,
  options: ExportOptions,
): Promise<Written> {
  switch (format) {
    case 'request':
      return writtenRequest(live, source)
    case 'original':
      return writtenOriginal(app, live)
    case 'workspace':
      return writtenWorkspace(source)
    default:
      return writtenLog(format, source, options)
  }
}

/** A page that is left takes its exports with it, so the browser asks first. */
const askFirst = (event: BeforeUnloadEvent) => event.preventDefault()

/** The exports under way, told to the screen now and then; each can be ended. */
function createRuns(app: AppContext) {
  const enders = new Map<string, AbortController>()
  const change = (id: string, more: Partial<ExportRun>) =>
    app.store.setState(({ exports }) => ({
      exports: exports.map((run) => (run.id === id ? { ...run, ...more } : run)),
    }))
  return {
    cancel: (id: string) => enders.get(id)?.abort(),
    begin(name: string) {
      const id = app.newId()
      const ender = new AbortController()
      if (enders.size === 0) window.addEventListener('beforeunload', askFirst)
      enders.set(id, ender)
      app.store.setState(({ exports }) => ({
        exports: [...exports, { id, name, bytes: 0, share: null }],
      }))
      let told = 0
      return {
        signal: ender.signal,
        tell(bytes: number, share: number | null) {
          const now = performance.now()
          if (now - told < TELL) return
          told = now
          change(id, { bytes, share: share === null ? null : Math.min(1, share) })
        },
        end() {
          enders.delete(id)
          if (enders.size === 0) window.removeEventListener('beforeunload', askFirst)
          app.store.setState(({ exports }) => ({ exports: exports.filter((run) => run.id !== id) }))
        },
      }
    },
  }
}

export function exportActions(app: AppContext): ExportActions {
  const urls = new Map<string, string>()
  const runs = createRuns(app)

  const save = async (live: LiveSession, format: ExportFormat, options: ExportOptions) => {
    let events = 0
    const watch: Watch = { onEvents: (more) => (events += more) }
    const plain = sourceOf(app, live, watch)
    const source = options.redact ? redactedSource(plain, options.redact) : plain
    const { name, type } = nameOf(live, source, format, options)
    const run = runs.begin(options.file?.name ?? name)
    watch.signal = run.signal
    try {
      const { stream, ...whole } = await written(app, live, source, format, options)
      await saveStream(stream, name, type, {
        signal: run.signal,
        file: options.file,
        onBytes: (bytes) =>
          run.tell(
            bytes,
            whole.bytes ? bytes / whole.bytes : whole.events ? events / whole.events : null,
          ),
      })
      if (options.file) app.toast({ tone: 'plain', title: `Saved ${options.file.name}` })
    } catch (error) {
      if (!run.signal.aborted) throw error
      app.toast({ tone: 'plain', title: 'Export cancelled', detail: 'No file was left behind.' })
    } finally {
      run.end()
    }
  }

  return {
    async exportSession(format, options = {}) {
      const live = app.current()
      if (live) await save(live, format, options).catch(app.report('The export failed'))
    },
    exportName(format, options) {
      const live = app.current()
      if (!live) return { name: '', type: '' }
      const plain = sourceOf(app, live)
      const source = options.redact ? redactedSource(plain, options.redact) : plain
      return nameOf(live, source, format, options)
    },
    cancelExport: runs.cancel,
    async findSecrets(format, rules, signal) {
      const live = app.current()
      if (!live) return null
      const { header, read, blobOf, files } = sourceOf(app, live, { signal })
      const searched =
        format === 'workspace' ? { header, read: () => [], files } : { header, read, blobOf }
      return findSecrets(searched, rules).catch((error) => {
        if (!signal?.aborted) app.report('The session could not be searched')(error)
        return null
      })
    },
    async readFile(path) {
      const live = app.current()
      const [now, base] = live
        ? await Promise.all([live.files.read(path), live.files.base(path)])
        : [null, null]
      const text = (body: string | Uint8Array | null) => (typeof body === 'string' ? body : null)
      return { text: text(now), base: text(base), bytes: now?.length ?? 0 }
    },
    async blobUrl(hash) {
      const known = urls.get(hash)
      if (known) return known
      const blob = await getBlob(app.db, hash).catch(() => null)
      if (!blob) return null
      const url = URL.createObjectURL(new Blob([blob.bytes], { type: blob.mediaType }))
      urls.set(hash, url)
      return url
    },
    wholeRequest: (body) => wholeRequest(body, (hash) => getBlob(app.db, hash)),
  }
}
