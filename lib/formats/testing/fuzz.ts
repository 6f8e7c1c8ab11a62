/**
 * Fixtures broken by bytes, by lines and by fields. Whatever is done to a file: reading it neither throws
 * nor hangs, what comes out is sound and could be continued, and no record of it is unaccounted for.
 */

import fc from 'fast-check'
import type { Json } from '../../core/message'
import { isRow } from '../json'
import { readTranscript } from '../transcript'
import { FIXTURES, type Fixture } from './fixtures'
import { accountedFor, countRecords, flawsOf } from './soundness'

/** Formats whose every line is a record. */
const LINES: ReadonlySet<string> = new Set(['claude-code', 'codex', 'dsh', 'pi'])
/** Far more than the slowest file needs. */
const PATIENCE_MS = 60_000

const encode = (text: string) => new TextEncoder().encode(text)

const noise = fc.oneof(
  fc.uint8Array({ minLength: 1, maxLength: 12 }),
  fc
    .constantFrom(
      ...[
        '\n',
        '"',
        '{',
        '}',
        '\\',
        '\\ud800',
        '[',
        ']',
        ',',
        ':',
        '1e999',
        'null',
        '-',
        '}{',
        '\0',
      ],
      ...['\r\n', '\ufeff', '\u2028', '{"type":"user"}\n', '\u0085'],
    )
    .map(encode),
)

const byteChange = fc.record({
  kind: fc.constantFrom('cut', 'behead', 'overwrite', 'insert', 'drop', 'repeat'),
  at: fc.nat(1 << 20),
  length: fc.integer({ min: 1, max: 400 }),
  noise,
})
type ByteChange = typeof byteChange extends fc.Arbitrary<infer T> ? T : never

function changeBytes(from: Uint8Array, { kind, at, length, noise }: ByteChange): Uint8Array {
  const place = at % (from.length + 1)
  const [before, after] = [from.subarray(0, place), from.subarray(place)]
  switch (kind) {
    case 'cut':
      return before
    case 'behead':
      return after
    case 'overwrite':
      return new Uint8Array([...before, ...noise, ...after.subarray(noise.length)])
    case 'insert':
      return new Uint8Array([...before, ...noise, ...after])
    case 'drop':
      return new Uint8Array([...before, ...after.subarray(length)])
    default:
      return new Uint8Array([...before, ...after.subarray(0, length), ...after])
  }
}

const lineChange = fc.record({
  kind: fc.constantFrom('move', 'repeat', 'drop', 'glue', 'blank'),
  at: fc.nat(1000),
  to: fc.nat(1000),
})
type LineChange = typeof lineChange extends fc.Arbitrary<infer T> ? T : never

function changeLines(text: string, { kind, at, to }: LineChange): string {
  const lines = text.split('\n')
  const from = at % lines.length
  const [line = ''] = lines.splice(from, 1)
  const place = to % (lines.length + 1)
  if (kind === 'move') lines.splice(place, 0, line)
  else if (kind === 'repeat') lines.splice(from, 0, line, line)
  else if (kind === 'blank') lines.splice(from, 0, line, '', '  ')
  else if (kind === 'glue') lines[from] = line + (lines[from] ?? '')
  return lines.join('\n')
}

const value: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, -1, 1.5, 1e300, '', ' ', 'x', [], {}, [[]], [null]),
  fc.constantFrom<Json>(
    'user',
    'assistant',
    'system',
    'append',
    'p1',
    'call_a',
    '__proto__',
    '\ud800',
  ),
  fc.constantFrom<Json>({ type: 'text' }, { type: 'tool_use' }, [{ type: 'tool_result' }], {
    op: 'replace',
  }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
)
const fieldChange = fc.record({
  line: fc.nat(1000),
  /** Which member at each level, as a share of how many there are. */
  path: fc.array(fc.nat(1000), { minLength: 1, maxLength: 7 }),
  kind: fc.constantFrom('set', 'set', 'set', 'drop', 'copy'),
  value,
})
type FieldChange = typeof fieldChange extends fc.Arbitrary<infer T> ? T : never

/** Changes one member somewhere inside. */
function changeMember(root: Json, { path, kind, value }: FieldChange): void {
  let holder = root
  for (const [depth, choice] of path.entries()) {
    const keys: (string | number)[] = Array.isArray(holder)
      ? [...holder.keys()]
      : isRow(holder)
        ? Object.keys(holder)
        : []
    const key = keys[choice % Math.max(1, keys.length)]
    if (key === undefined) return
    const inside = (holder as Record<string, Json>)[key]
    const isLast = depth === path.length - 1 || typeof inside !== 'object' || inside === null
    if (!isLast) {
      holder = inside
      continue
    }
    const members = holder as Record<string, Json>
    const other = members[keys[(choice + 1) % keys.length] ?? key]
    if (kind === 'drop' && !Array.isArray(holder)) delete members[key]
    else members[key] = kind === 'copy' && other !== undefined ? other : value
    return
  }
}

function changeField(text: string, change: FieldChange): string {
  const whole = parse(text)
  if (whole !== undefined) {
    changeMember(whole, change)
    return JSON.stringify(whole)
  }
  const lines = text.split('\n')
  const at = change.line % lines.length
  const row = parse(lines[at] ?? '')
  if (row === undefined) return text
  changeMember(row, change)
  lines[at] = JSON.stringify(row)
  return lines.join('\n')
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

type Case = { name: string; fixture: Fixture; bytes: Uint8Array<ArrayBuffer> }

export const brokenFile: fc.Arbitrary<Case> = fc
  .record({
    name: fc.constantFrom(...Object.keys(FIXTURES)),
    fields: fc.array(fieldChange, { maxLength: 4 }),
    lines: fc.array(lineChange, { maxLength: 2 }),
    bytes: fc.array(byteChange, { maxLength: 2 }),
  })
  .map(({ name, fields, lines, bytes }) => {
    const fixture = FIXTURES[name] as Fixture
    const changed = fields.reduce(changeField, fixture.text)
    const moved = lines.reduce(changeLines, changed)
    return { name, fixture, bytes: new Uint8Array(bytes.reduce(changeBytes, encode(moved))) }
  })

/** Rejects when the work takes longer than any file needs. */
async function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('reading hangs')), PATIENCE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** What is wrong with how a broken file was read; nothing if all holds. */
export async function flawsOfReading({ bytes }: Case): Promise<string[]> {
  const result = await inTime(readTranscript(bytes))
  const flaws = flawsOf(result)
  if (result.format === null && result.refusal === null)
    flaws.push('nothing was read and nothing said')
  if (result.format !== null && LINES.has(result.format) && result.refusal === null) {
    const [told, held] = [accountedFor(result), await countRecords(bytes)]
    if (told !== held) flaws.push(`${held} records, ${told} accounted for`)
  }
  return flaws
}

/** Runs `runs` cases; throws what fast-check found, smallest first. */
export const fuzzForeign = (runs: number, seed?: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(brokenFile, async (broken) => {
      const flaws = await flawsOfReading(broken)
      if (flaws.length > 0) throw new Error(flaws.join('\n'))
    }),
    { numRuns: runs, ...(seed === undefined ? {} : { seed }) },
  )
