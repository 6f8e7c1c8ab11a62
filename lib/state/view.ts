/** The URL as state: session, playhead, selection, panel and comparison, parsed at the door. */

import { z } from 'zod'
import type { Panel, View } from './model'

const PANELS = [
  'strata',
  'surface',
  'request',
  'log',
  'compare',
  'files',
] as const satisfies Panel[]

const seq = z
  .string()
  .regex(/^\d{1,9}$/)
  .transform(Number)
  .nullable()
  .catch(null)
const schema = z.object({
  s: z
    .string()
    .regex(/^[\w-]{1,80}$/)
    .nullable()
    .catch(null),
  at: seq,
  node: seq,
  panel: z.enum(PANELS).catch('strata'),
  from: seq,
})

/** Reads a query string. Whatever it cannot mean is left out; it never throws. */
export function parseView(search: string): View {
  const query = new URLSearchParams(search)
  const get = (name: string) => query.get(name) || null
  const { s, at, node, panel, from } = schema.parse({
    s: get('s'),
    at: get('at'),
    node: get('node'),
    panel: get('panel'),
    from: get('from'),
  })
  return s === null ? { ...NO_SESSION, panel } : { session: s, seq: at, node, panel, compare: from }
}

export const NO_SESSION: View = {
  session: null,
  seq: null,
  node: null,
  panel: 'strata',
  compare: null,
}

/** The query string for a view, '' for the first screen. */
export function formatView(view: View): string {
  if (view.session === null) return ''
  const query = new URLSearchParams({ s: view.session })
  if (view.seq !== null) query.set('at', String(view.seq))
  if (view.node !== null) query.set('node', String(view.node))
  if (view.panel !== 'strata') query.set('panel', view.panel)
  if (view.compare !== null) query.set('from', String(view.compare))
  return `?${query}`
}

/** Between two rewritings; Safari refuses more than a hundred in half a minute. */
const PAUSE_MS = 400

/**
 * Mirrors the view into the address bar. Another session or comparison is a step that the browser's
 * back button undoes; playhead, selection and panel only rewrite the current entry, at once and then at most
 * every `PAUSE_MS`, because browsers throttle history calls while the playhead is dragged.
 */
export function mirrorView(
  get: () => View,
  onBack: (view: View) => void,
): (next: View, last: View) => void {
  let timer: ReturnType<typeof setTimeout> | null = null
  /** When the entry was last rewritten, by the page's own clock. */
  let rewritten = Number.NEGATIVE_INFINITY
  const write = (push: boolean) => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const url = `${location.pathname}${formatView(get())}`
    if (url === `${location.pathname}${location.search}`) return
    if (push) history.pushState(null, '', url)
    else history.replaceState(null, '', url)
    if (!push) rewritten = performance.now()
  }
  addEventListener('popstate', () => onBack(parseView(location.search)))
  // A page that is put aside, not reloaded: coming back to it is coming back to this.
  addEventListener('pagehide', () => timer !== null && write(false))
  return (next, last) => {
    const wait = rewritten + PAUSE_MS - performance.now()
    if (next.session !== last.session || next.compare !== last.compare) write(true)
    else if (wait <= 0) write(false)
    else timer ??= setTimeout(() => write(false), wait)
  }
}
