/**
 * Directives steer the stand-in from inside the conversation: `[[name: value]]` in the newest user text.
 *
 *   [[reply: some text]]            what to say                   [[long: 200]]   that many words
 *   [[empty]]                       say nothing at all            [[clock: 50]]   that many deltas, each its time ([[pad: 9]] longer)
 *   [[call: read_file {"path":"a"}]] a tool call; neighbours run in parallel
 *   [[then]]                        ends the step, so that the next call is sequential
 *   [[thinking]] [[thinking: text]] [[redacted]] [[block: {...}]] [[pause]]
 *   [[stop: refusal]]               the stop reason               [[delay: 50]]   ms before each delta
 *   [[wait: 500]]                   ms before the headers         [[hang]]        headers never come
 *   [[error: 529]] [[error: 400 prompt is too long: 9 tokens > 8 maximum]] [[error: 429 retry-after=2]]
 *   [[mid-error: overloaded_error]] [[cut]] [[stall]] [[stall: pings]]            after some deltas
 *   … once]] or … x2]]              only the first (two) requests of this step meet it
 *   [[summary: delay 50]]           any of the above, for summary requests only
 *
 * Directives form steps, one for each reply since that user text: a step ends after its calls, at
 * `[[then]]`, and at the end.
 */

/** @typedef {{ name: string, value: string }} Directive */

/** Finds directives; the value of a `call` or `block` may itself hold `]]`, so its end is where its JSON parses. */
export function parseDirectives(text) {
  const found = []
  const opening = /\[\[\s*([a-z][a-z-]*)\s*(?::\s*)?/g
  for (let match = opening.exec(text); match; match = opening.exec(text)) {
    const from = match.index + match[0].length
    const needsJson = match[1] === 'call' || match[1] === 'block'
    let end = text.indexOf(']]', from)
    while (needsJson && end >= 0 && jsonIn(text.slice(from, end)) === undefined)
      end = text.indexOf(']]', end + 1)
    if (end < 0) continue
    // `[[1]]]` ends one bracket later.
    while (text[end + 2] === ']' && !needsJson) end++
    found.push({ name: match[1], value: text.slice(from, end).trim() })
    opening.lastIndex = end + 2
  }
  return found
}

function jsonIn(value) {
  const at = value.indexOf('{')
  if (at < 0) return value.trim() === '' ? undefined : {}
  try {
    return JSON.parse(value.slice(at))
  } catch {
    return undefined
  }
}

const write = ({ name, value }) => (value === '' ? `[[${name}]]` : `[[${name}: ${value}]]`)
export const writeDirectives = (directives) => directives.map(write).join(' ')

/** Groups directives into steps; see above. */
export function stepsOf(directives) {
  const steps = []
  let current = []
  const close = () => {
    if (current.length > 0) steps.push(current)
    current = []
  }
  for (const directive of directives) {
    if (directive.name === 'then') close()
    else {
      if (directive.name !== 'call' && current.some((one) => one.name === 'call')) close()
      current.push(directive)
    }
  }
  close()
  return steps
}

function errorOf(value) {
  const [status, ...rest] = value.split(' ')
  const retryAfter = rest.find((word) => word.startsWith('retry-after='))?.slice(12)
  const message = rest.filter((word) => !word.startsWith('retry-after=')).join(' ')
  return { status: Number(status), message: message || undefined, retryAfter }
}

const SETTERS = {
  reply: (step, value) => ({ text: step.text ? `${step.text}\n\n${value}` : value }),
  empty: () => ({ text: '' }),
  long: (_, value) => ({ words: Number(value) }),
  clock: (_, value) => ({ clock: Number(value), text: '' }),
  pad: (_, value) => ({ pad: 'x'.repeat(Number(value)) }),
  call: (step, value) => {
    const at = value.indexOf('{')
    const name = (at < 0 ? value : value.slice(0, at)).trim()
    return { calls: [...(step.calls ?? []), { name, input: jsonIn(value) }] }
  },
  thinking: (_, value) => ({ thinking: value || true }),
  redacted: () => ({ redacted: true }),
  block: (step, value) => ({ blocks: [...(step.blocks ?? []), JSON.parse(value)] }),
  pause: () => ({ pause: true }),
  stop: (_, value) => ({ stop: value }),
  delay: (_, value) => ({ delay: Number(value) }),
  wait: (_, value) => ({ wait: Number(value) }),
  hang: () => ({ hang: true }),
  error: (_, value) => ({ error: errorOf(value) }),
  'mid-error': (_, value) => ({ midError: value || 'overloaded_error' }),
  cut: () => ({ cut: true }),
  stall: (_, value) => ({ stall: value === 'pings' ? 'pings' : true }),
}

const TIMES = /(?:^|\s)(?:once|x(\d+))$/

/** One step's directives as the object `reply.mjs` performs. Unknown names are ignored. */
export function stepFrom(directives) {
  let step = {}
  for (const { name, value } of directives) {
    const times = TIMES.exec(value)
    const plain = times ? value.slice(0, times.index).trim() : value
    const limited = times && ['error', 'mid-error', 'cut', 'stall', 'hang', 'wait'].includes(name)
    const set = SETTERS[name]
    if (!set) continue
    step = { ...step, ...set(step, limited ? plain : value) }
    if (limited) step.times = Number(times[1] ?? 1)
  }
  return step
}

/** The directives inside `[[summary: …]]`: `delay 50` reads as `[[delay: 50]]`. */
export const summaryDirectives = (directives) =>
  directives
    .filter((one) => one.name === 'summary')
    .map(({ value }) => {
      const at = value.search(/[\s:]/)
      return at < 0
        ? { name: value, value: '' }
        : { name: value.slice(0, at), value: value.slice(at + 1).trim() }
    })
