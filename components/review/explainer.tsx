'use client'

import { CircleHelp } from 'lucide-react'
import type { Policy } from '@/lib/core/event'
import type { Log } from '@/lib/core/log'
import { automaticStopped, type Explanation, explainFloor, type Remedy } from '@/lib/core/loop'
import { decide, isHeavy, REQUEST_LIMITS } from '@/lib/core/policy'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import type { ModelInfo } from '@/lib/state/model'
import { useShownReading } from '../shell/meter'
import { showDialog } from '../shell/screen'
import { Button } from '../ui/button'
import { bytes, count, exact, short } from '../ui/format'
import { plainName } from '../ui/name'

const PARTS: Record<Explanation['parts'][number]['kind'], [label: string, fill: string]> = {
  system: ['system prompt', 'var(--system)'],
  tools: ['tool definitions', 'var(--tools)'],
  pins: ['pinned messages', 'var(--user)'],
  restored: ['restored messages', 'var(--assistant)'],
  newestUnit: ['the newest exchange', 'var(--result)'],
  history: ['other messages', 'var(--summary)'],
}

/** The log grows in place; `version` tells that there may be another answer. */
const stoppedAt = (log: Log, version: number, policy: Policy) =>
  version === 0 ? null : automaticStopped(log, policy)
const explainAt = (log: Log, _version: number, policy: Policy) => explainFloor(log, policy)

/** Why automatic compaction does not run although the window, or its media, call for it; null where it may. */
export function useStopped() {
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const policy = useSession((state) => state.chosen.policy)
  const isDue = decide(useShownReading(), policy) !== 'rest'
  return isDue ? stoppedAt(log, version, policy) : null
}

/** What takes the room, and what a person can do about it, each with its button (C11). */
export function Explainer() {
  const stopped = useStopped()
  const reading = useShownReading()
  const writer = useSession((state) => state.role === 'writer')
  const busy = useSession((state) => !['idle', 'failed'].includes(state.live.phase))
  if (!stopped || !writer || busy) return null
  return (
    <section
      aria-label="Automatic compaction has stopped"
      // Where the window is low, the conversation and the composer keep their room.
      className="mb-2 max-h-[45dvh] overflow-y-auto rounded-lg border border-line2 bg-raised px-3 py-2.5"
    >
      <p className="m-0 mb-2 flex items-start gap-2">
        <CircleHelp size={15} className="mt-0.5 shrink-0 text-ink2" aria-hidden="true" />
        <span>
          <b className="font-semibold">Automatic compaction has stopped.</b>{' '}
          <span className="text-ink2">
            {stopped.code === 'failures'
              ? 'Two attempts in a row failed. Compact by hand, or make room.'
              : 'What is left could not be made smaller by a summary.'}
            {isHeavy(reading)
              ? ` Images and documents nearly fill what a request may hold: ${exact(reading.media)} of ${REQUEST_LIMITS.media}, ${bytes(reading.bytes)} of ${bytes(REQUEST_LIMITS.bytes)}.`
              : ''}
          </span>
        </span>
      </p>
      <Room />
    </section>
  )
}

function Room() {
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const policy = useSession((state) => state.chosen.policy)
  const { parts, remedies, total } = explainAt(log, version, policy)
  const most = Math.max(1, ...parts.map(({ tokens }) => tokens))
  return (
    <>
      <p className="m-0 mb-1 text-ink2">
        <span className="mono">{exact(total)}</span> tokens are in the window:
      </p>
      <ul className="m-0 mb-2.5 list-none p-0">
        {parts.map(({ kind, tokens, seqs }) => (
          <li key={kind} className="flex items-center gap-2 py-0.5">
            <span className="w-38 shrink-0 text-ink2">
              {seqs.length > 1 ? `${exact(seqs.length)} ` : ''}
              {PARTS[kind][0]}
            </span>
            <span aria-hidden="true" className="figure h-2 min-w-0 flex-1 rounded-full bg-hover">
              <span
                className="block h-full rounded-full"
                style={{ width: `${(tokens / most) * 100}%`, background: PARTS[kind][1] }}
              />
            </span>
            <span className="mono w-20 shrink-0 text-right">{exact(tokens)} tok</span>
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-1.5">
        {remedies.toSorted(byRoom).map((remedy) => (
          <RemedyButton key={remedy.kind} remedy={remedy} />
        ))}
        <Button size="sm" onClick={() => showDialog('compact')}>
          Compact by hand…
        </Button>
      </div>
    </>
  )
}

/** What frees most first; ways that free nothing here come after. */
const byRoom = (a: Remedy, b: Remedy): number => roomOf(b) - roomOf(a)
const roomOf = (remedy: Remedy): number => ('frees' in remedy ? remedy.frees : -1)

/** The smallest model of this provider that is large enough, cheapest first where prices are known. */
const largeEnough = (models: readonly ModelInfo[], provider: string, window: number) =>
  models
    .filter((model) => model.provider === provider && (model.contextWindow ?? 0) >= window)
    .toSorted((a, b) => (a.contextWindow ?? 0) - (b.contextWindow ?? 0))[0]

function RemedyButton({ remedy }: { remedy: Remedy }) {
  const actions = useActions()
  const provider = useSession((state) => state.chosen.provider)
  const models = useApp((state) => state.models)
  switch (remedy.kind) {
    case 'unpin':
    case 'release':
      return (
        <Button size="sm" onClick={() => void actions.setPins(remedy.seqs, false)}>
          {remedy.kind === 'unpin' ? 'Unpin' : 'Let go of'} {count(remedy.seqs.length, 'message')},{' '}
          {short(remedy.frees)} tok
        </Button>
      )
    case 'drop-tools':
      return (
        <Button
          size="sm"
          title="The model works without tools until you put them back, in the context meter."
          onClick={() => actions.setTools(false)}
        >
          Leave out the tools, {short(remedy.frees)} tok
        </Button>
      )
    case 'switch-model': {
      const model = largeEnough(models, provider, remedy.window)
      return (
        <Button
          size="sm"
          onClick={() =>
            model
              ? actions.chooseModel(model.provider, model.id, {
                  ...(model.contextWindow && { contextWindow: model.contextWindow }),
                  ...(model.maxTokens && { maxTokens: model.maxTokens }),
                })
              : showDialog('custom-model')
          }
        >
          {model
            ? `Use ${plainName(model.label)} (${short(model.contextWindow ?? 0)})`
            : `A model of ${short(remedy.window)} or more…`}
        </Button>
      )
    }
    case 'fork':
      return (
        <Button
          size="sm"
          title="A new session up to the last turn that was below the threshold"
          onClick={() => void actions.fork(remedy.at)}
        >
          Fork from #{remedy.at}
        </Button>
      )
  }
}
