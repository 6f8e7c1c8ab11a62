/** The reader's next step, from the messages of a request and nothing else. */

import type { RequestBody } from '../../core/request'
import { assertNever } from '../../core/result'
import { heading } from './heading'
import type { Intent } from './intent'
import { isLost, type Move, sameCall, say } from './move'
import { partView } from './part-view'
import { type Part, type Request, readRequest } from './parts'
import { planAppend, planEdit, planRun, planWrite } from './plan-change'
import { lastTwoRead, planCompare } from './plan-compare'
import { eachLimit, planEach } from './plan-each'
import { planAsk, planDefine, planSearch } from './plan-find'
import { planCopy, planInto } from './plan-into'
import { planList, planRead, planSummary, summariseAttached } from './plan-read'
import { planCompact, planRecall } from './plan-recall'
import * as talk from './talk'
import { taskOf } from './task'
import { newTurn, type Turn, turnsOf } from './turns'

/** Calls after which a request other than "read every file" is surely going in circles. */
const MAX_CALLS = 16
/** Files one part may change besides. */
const MAX_EDITS = 40

function talkOf(topic: 'greeting' | 'identity' | 'ability' | 'thanks'): Move {
  switch (topic) {
    case 'greeting':
    case 'ability':
      return say(talk.introduction())
    case 'identity':
      return say(talk.identity())
    case 'thanks':
      return say(talk.thanks())
    default:
      return assertNever(topic)
  }
}

function planFor(
  intent: Intent,
  turn: Turn,
  turns: readonly Turn[],
  tools: ReadonlySet<string>,
): Move {
  switch (intent.kind) {
    case 'each':
      return planEach(turn, intent)
    case 'read':
      return planRead(turn, intent.paths, intent.lines)
    case 'summarise': {
      const [attached] = turn.attached
      if (intent.path !== null) return planSummary(turn, intent.path)
      return attached
        ? summariseAttached(attached)
        : say('Which file? For example: summarise `notes.md`.')
    }
    case 'compare': {
      const paths = intent.paths.length === 2 ? intent.paths : lastTwoRead(turns.slice(0, -1))
      return planCompare(turn, paths, tools.has('bash'))
    }
    case 'define':
      return planDefine(turn, intent.name, intent.where)
    case 'search':
      return planSearch(turn, intent)
    case 'list':
      return planList(turn, intent.where, intent.except)
    case 'write':
      return planWrite(turn, intent.path, intent.content)
    case 'append':
      return planAppend(turn, intent.path, intent.content)
    case 'edit':
      return planEdit(turn, intent)
    case 'run':
      return planRun(turn, intent.command)
    case 'compact':
      return planCompact(turn, intent.focus)
    case 'recall':
      return planRecall(turn, intent, turns.slice(0, -1))
    case 'talk':
      return talkOf(intent.topic)
    case 'ask':
      return planAsk(turn, intent.words)
    case 'continue':
      return say(talk.nothingToContinue())
    case 'unknown':
      return say(
        turn.attached.length > 0 && turn.request === null
          ? `I have the attached text. I can summarise it: say "summarise the attached file".`
          : talk.cannotPlan(),
      )
    default:
      return assertNever(intent)
  }
}

function limitOf(intent: Intent, turn: Turn): number {
  if (intent.kind === 'each') return eachLimit(turn, intent.except)
  return intent.kind === 'edit' ? MAX_CALLS + MAX_EDITS : MAX_CALLS
}

/** A plan that repeats itself, or goes on for too long, ends with a plain word instead (no loops). */
function guarded(move: Move, intent: Intent, turn: Turn): Move {
  const repeats = move.calls.some((wanted) => {
    const same = turn.steps.filter(
      (step) => step.result !== null && !isLost(step.result) && sameCall(step, wanted),
    )
    const inView = same.some(({ result }) => !result!.isGone)
    return inView || (same.length > 1 && wanted.name !== 'list_files')
  })
  const calls = (turn.memory?.calls ?? 0) + turn.steps.length
  const limit = limitOf(intent, turn)
  if (move.calls.length === 0 || (!repeats && calls + move.calls.length <= limit)) return move
  return say(
    `${move.text}\n\nI stop here: the next call would only repeat what I did already (${calls} calls so far). What I found is above; ask for a smaller part to go on.`,
  )
}

/** One part of a request, its result where it is wanted. */
function planPart(
  { intent, into }: Part,
  turn: Turn,
  turns: readonly Turn[],
  tools: ReadonlySet<string>,
): Move {
  const found = () => planFor(intent, turn, turns, tools)
  const wanted =
    into === null
      ? found()
      : intent.kind === 'read'
        ? planCopy(turn, intent.paths, intent.lines, into)
        : planInto(turn, found, into)
  const move = guarded(wanted, intent, turn)
  const lacking = move.calls.find(({ name }) => !tools.has(name))
  return lacking
    ? say(
        `${move.text}\n\nThat needs the tool \`${lacking.name}\`, which this session does not offer.`,
      )
    : move
}

const joined = (texts: readonly string[]) => texts.filter((text) => text !== '').join('\n\n')

/** The request's parts; of one that a record keeps only the beginning of, all but the one it breaks off in. */
function known({ request, memory }: Turn): Request & { rest: string } {
  const whole = readRequest(request ?? '')
  const length = memory?.requestLength ?? null
  if (request === null || length === null) return { ...whole, rest: '' }
  return {
    parts: whole.parts.length > 1 ? whole.parts.slice(0, -1) : whole.parts,
    left: whole.left.slice(0, -1),
    rest: talk.restLost(request.length, length),
  }
}

/** The parts one after the other: answers of those that are done now, then the first one's next calls. */
function planRequest(turn: Turn, turns: readonly Turn[], tools: ReadonlySet<string>): Move {
  const { parts, left, rest } = known(turn)
  const texts: string[] = []
  if (parts.length === 0) return planFor({ kind: 'unknown' }, turn, turns, tools)
  const begun = turn.part ?? 0
  if (begun > parts.length) return say(rest)
  for (let at = Math.max(1, begun); at <= parts.length; at++) {
    const part = parts[at - 1]!
    if (parts.length > 1 && at > begun) texts.push(heading(at, parts.length, part.words))
    const move = planPart(part, parts.length > 1 ? partView(turn, at) : turn, turns, tools)
    texts.push(move.text)
    if (move.calls.length > 0) return { ...move, text: joined(texts) }
  }
  return say(joined([...texts, talk.leftOut(left), rest]))
}

/** Words and calls of the next step. Pure: equal bodies give equal moves. */
export function planMove(body: RequestBody): Move {
  const turns = turnsOf(body.messages)
  const asked = turns.at(-1) ?? newTurn(null)
  const turn = taskOf(turns)
  const tools = new Set(body.tools.map((tool) => tool.name))
  const possible = planRequest(turn, turns, tools)
  const isFirst = asked.steps.length === 0 && asked.memory === null
  if (asked.media === 0 || !isFirst) return possible
  const blind = talk.blindness(asked.media)
  return asked.request === null
    ? say(`${blind}\n\n${talk.introduction()}`)
    : { ...possible, text: `${blind}\n\n${possible.text}` }
}
