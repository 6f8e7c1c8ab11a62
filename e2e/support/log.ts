/** An exported log, read and folded with plain arrays: nothing here is the app's own code. */

export type Op =
  | 'append'
  | { op: 'replace'; start: number; end: number }
  | { op: 'restore'; seq: number }

export type Event = {
  seq: number
  time: number
  type: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into many shapes, and fail where one is another
  data: any
  surfaceOp?: Op
}

export type NativeLog = {
  text: string
  header: { version: number; id: string; createdAt: number }
  events: Event[]
}

/** Native JSONL: a header line, then events; blobs stand between them. */
export function readLog(text: string): NativeLog {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
  return {
    text,
    header: lines[0].palimpsest,
    events: lines.filter((line) => typeof line.seq === 'number'),
  }
}

export const ofType = (events: readonly Event[], type: string): Event[] =>
  events.filter((event) => event.type === type)

export type Fold = {
  surface: number[]
  /** What each replacement took the place of, in surface order. */
  shadows: Map<number, number[]>
  /** What stands over a node that is not on the surface. */
  over: Map<number, number>
}

/** The surface after event `at`: append, replace a span of positions, restore what was replaced. */
export function foldAt(events: readonly Event[], at: number): Fold {
  const surface: number[] = []
  const shadows = new Map<number, number[]>()
  for (const { seq, surfaceOp: op } of events.slice(0, at + 1)) {
    if (op === 'append') surface.push(seq)
    else if (op?.op === 'replace') {
      const from = surface.indexOf(op.start)
      const span = surface.slice(from, surface.indexOf(op.end) + 1)
      if (span.length === 0) throw new Error(`nothing from ${op.start} to ${op.end} at ${seq}`)
      shadows.set(seq, span)
      surface.splice(from, span.length, seq)
    } else if (op?.op === 'restore')
      surface.splice(surface.indexOf(op.seq), 1, ...(shadows.get(op.seq) ?? []))
  }
  const on = new Set(surface)
  const over = new Map<number, number>()
  for (const [seq, span] of shadows) for (const node of span) if (!on.has(node)) over.set(node, seq)
  return { surface, shadows, over }
}

/** Text of a message's or a result's text blocks. */
export const textOf = (event: Event): string =>
  (event.data.content as { type: string; text?: string }[])
    .filter(({ type }) => type === 'text')
    .map(({ text }) => text)
    .join('\n')

/** Messages a request at this moment has: one for each run of nodes of one role. */
export function rolesAt(events: readonly Event[], at: number): ('user' | 'assistant')[] {
  const roles = foldAt(events, at).surface.map((seq) =>
    events[seq]!.type === 'assistant/message' ? ('assistant' as const) : ('user' as const),
  )
  return roles.filter((role, i) => role !== roles[i - 1])
}
