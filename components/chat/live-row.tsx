'use client'

import { isText, isToolUse } from '@/lib/core/message'
import { transcriptLength, viewNodeAt } from '@/lib/core/projections/transcript'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { duration } from '../ui/format'
import { Name } from '../ui/name'
import { Spinner } from '../ui/spinner'
import { useNow } from '../ui/use-now'
import { BlockView, Thinking, Words } from './blocks'
import { errorWords } from './problems'
import { goesOn } from './rows'

/** What is happening right now, under the last message: the reply as it arrives, and the phase in words. */
export function LiveRow() {
  const live = useSession((state) => state.live)
  const text = live.content.some((block) => !isText(block) || block.text !== '')
  const newest = live.content.at(-1)
  const continues = useSession((state) => {
    const last = viewNodeAt(state.transcript, transcriptLength(state.transcript) - 1)
    return goesOn(last, state.live.step)
  })
  return (
    <div className={continues ? 'py-0.5' : 'pb-1 pt-2'}>
      {text ? (
        <>
          {continues ? null : (
            <h2 className="m-0 mb-0.5 flex h-5 items-center text-xs font-semibold text-assistant-ink">
              Assistant
            </h2>
          )}
          {live.content.map((block, i) => {
            const id = `live.${i}`
            // Blocks only ever grow and are appended, so their place names them.
            if (isText(block)) return <Words key={id} text={block.text} />
            if (isToolUse(block))
              return <WritingCall key={id} name={block.name} typed={typed(live, block.id)} />
            if (block.type === 'thinking' && typeof block.thinking === 'string')
              return <Thinking key={id} text={block.thinking} id={id} live={block === newest} />
            return <BlockView key={id} block={block} id={id} />
          })}
        </>
      ) : null}
      <Phase />
    </div>
  )
}

type LiveState = ReturnType<typeof useLive>
const useLive = () => useSession((state) => state.live)

const typed = (live: LiveState, callId: string): string =>
  live.typing?.callId === callId ? live.typing.text : ''

/** A tool call while its arguments are still being written. */
function WritingCall({ name, typed }: { name: string; typed: string }) {
  return (
    <div className="mono my-1.5 flex h-8 items-center gap-2.5 rounded-lg border bg-panel px-2.5">
      <Spinner size={11} />
      <span className="font-semibold text-call-ink">
        <Name>{name}</Name>
      </span>
      <span className="min-w-0 flex-1 truncate text-ink2">{typed.slice(-200)}</span>
    </div>
  )
}

function Phase() {
  const live = useLive()
  const { stop, retry } = useActions()
  const now = useNow(1000)
  const carded = useSession(({ transcript }) => {
    const last = viewNodeAt(transcript, transcriptLength(transcript) - 1)
    return last?.kind === 'compaction' && last.status === 'running'
  })
  if (live.phase === 'retrying' && live.retry) {
    const left = Math.max(0, Math.ceil((live.retry.at - now) / 1000))
    return (
      <p className="m-0 my-1 flex items-center gap-2 text-ink2">
        <Spinner />
        <span className="min-w-0 flex-1">
          {sentence(errorWords(live.retry.error.code))}. Attempt {live.retry.attempt} in{' '}
          <span className="mono">{left < 60 ? `${left} s` : duration(left * 1000)}</span>
        </span>
        <Button size="sm" onClick={() => void retry()}>
          Try now
        </Button>
        <Button size="sm" onClick={stop}>
          Stop
        </Button>
      </p>
    )
  }
  // The card of a running compaction says all of it.
  if (live.phase === 'compacting' && carded) return null
  const words = phaseWords(
    live.phase,
    live.running.map(({ name }) => name),
  )
  if (!words) return null
  const age = now - live.since
  return (
    <p className="m-0 my-1 flex items-center gap-2 text-ink2">
      <Spinner />
      {live.connection ? QUEUED : words}
      {age >= 3000 ? <span className="mono text-ink3">{duration(age)}</span> : null}
    </p>
  )
}

const sentence = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1)

/** A browser has few connections to one server; a cancel must find one free (lib/providers/slots.ts). */
export const QUEUED = 'Waiting its turn: five replies are streaming already'

/** The phase as a person would say it; null while the text itself shows it. */
export function phaseWords(phase: string, running: readonly string[]): string | null {
  switch (phase) {
    case 'waiting':
      return 'Waiting for the model'
    case 'tools':
      return running.length > 0 ? `Running ${[...new Set(running)].join(', ')}` : 'Running tools'
    case 'compacting':
      return 'Compacting'
    case 'retrying':
      return 'Waiting to try again'
    default:
      return null
  }
}
