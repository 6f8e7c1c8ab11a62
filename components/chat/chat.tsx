'use client'

import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { useActions, useApp, useMoment, useSession } from '@/lib/state/hooks'
import { Explainer } from '../review/explainer'
import { RegionBar } from '../review/region-bar'
import { WaitingBar } from '../review/waiting-bar'
import { useScreen } from '../shell/screen'
import { Button } from '../ui/button'
import { Skeleton } from '../ui/spinner'
import { isBusy } from './busy'
import { Composer } from './composer'
import { EmptyChat } from './empty-chat'
import { FindBar } from './find-bar'
import { phaseWords, QUEUED } from './live-row'
import { RowMemory } from './memory'
import { ProblemBar } from './problem-bar'
import { QueueList } from './queue-list'
import { ScheduledBar } from './scheduled-bar'
import { SessionCost } from './session-cost'
import { SettledPast } from './settled-past'
import { TranscriptView } from './transcript-view'
import { ViewBar, ViewSwitch } from './view-bar'

/** The conversation and where it is written. */
export function Chat() {
  const status = useSession((state) => state.status)
  const empty = useSession((state) => state.transcript.nodes.length === 0)
  const busy = useSession((state) => isBusy(state.live.phase))
  const finding = useScreen((state) => state.finding)
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const [found, setFound] = useState<number | null>(null)
  useEscape()
  // What was said is shown as soon as it is known; whether this tab may write takes a moment longer.
  if (status === 'loading' && empty) return <ChatSkeleton />
  return (
    <RowMemory>
      <SettledPast>
        <div className="flex h-full min-h-0 flex-col">
          {finding ? <FindBar scroller={scroller} onFound={setFound} /> : null}
          <PastBar />
          <div className="relative flex min-h-0 flex-1 flex-col">
            <ViewBar />
            <div
              ref={setScroller}
              // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region must be reachable by keyboard
              tabIndex={0}
              data-testid="transcript"
              className="relative min-h-0 flex-1 overflow-y-auto focus-visible:-outline-offset-2"
            >
              {empty && !busy ? (
                <EmptyChat />
              ) : (
                <TranscriptView scroller={scroller} found={finding ? found : null} />
              )}
            </div>
          </div>
          <div className="mx-auto w-full max-w-176 shrink-0 px-6 pb-3 pt-1.5 max-wide:px-3 max-wide:pb-2">
            <ProblemBar />
            <Explainer />
            <WaitingBar />
            <RegionBar />
            <QueueList />
            <ScheduledBar />
            <Writing />
            <div className="mt-1 flex items-center gap-2 empty:hidden">
              <ViewSwitch />
              <SessionCost />
            </div>
          </div>
          <Announcer />
        </div>
      </SettledPast>
    </RowMemory>
  )
}

/** The composer, or why there is none. */
function Writing() {
  const role = useSession((state) => state.role)
  const status = useSession((state) => state.status)
  const problem = useSession((state) => state.problem)
  if (status === 'loading') return <Skeleton className="h-21 w-full rounded-xl" />
  if (status === 'damaged')
    return <ReadOnly>This log is damaged and can only be read. {problem}</ReadOnly>
  if (role === 'follower') return <Following />
  return <Composer />
}

/** Another tab writes: why one cannot here, and the way to. */
function Following() {
  const { takeOver } = useActions()
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-xl border border-dashed border-line2 bg-panel px-3.5 py-2">
      <p role="status" className="m-0 min-w-48 flex-1 text-ink2">
        Another tab is writing this session. Here it can be read, and follows along.
      </p>
      <Button size="sm" onClick={() => void takeOver()}>
        Write here instead
      </Button>
    </div>
  )
}

const ReadOnly = ({ children }: { children: ReactNode }) => (
  <p
    role="status"
    className="m-0 rounded-xl border border-dashed border-line2 bg-panel px-3.5 py-2.5 text-ink2"
  >
    {children}
  </p>
)

/** Says that the chat is in the past, and leads back. */
function PastBar() {
  const past = useApp((state) => state.view.seq !== null)
  const moment = useMoment()
  const { setPlayhead } = useActions()
  if (!past) return null
  return (
    <div className="flex shrink-0 items-center gap-3 border-b bg-accent-soft px-4 py-1.5">
      <p className="m-0 min-w-0 flex-1">
        <span className="font-[550]">At #{moment}.</span>{' '}
        <span className="text-ink2">Faded: what the model no longer saw, or had not seen yet.</span>
      </p>
      <Button size="sm" onClick={() => setPlayhead(null)}>
        Back to live
      </Button>
    </div>
  )
}

/** Escape stops the model or the compaction, wherever the focus is, unless something else wants it. */
function useEscape() {
  const busy = useSession((state) => isBusy(state.live.phase) && state.role === 'writer')
  const { stop } = useActions()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
    if (!busy || useScreen.getState().dialog) return
    event.preventDefault()
    stop()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** Tells screen readers what goes on, in whole words and not for every token. */
function Announcer() {
  const words = useSession((state) => {
    const { phase, running } = state.live
    if (state.status === 'loading') return 'Opening the session'
    if (state.live.connection) return QUEUED
    if (phase === 'streaming') return 'The model is writing'
    return phaseWords(
      phase,
      running.map(({ name }) => name),
    )
  })
  return (
    <p role="status" aria-live="polite" className="sr-only" data-testid="live-status">
      {words ?? 'Ready'}
    </p>
  )
}

function ChatSkeleton() {
  return (
    <div aria-busy="true" className="mx-auto flex w-full max-w-176 flex-col gap-3 px-6 pt-6">
      <p role="status" className="sr-only">
        Opening the session
      </p>
      <Skeleton className="h-3.5 w-14" />
      <Skeleton className="h-4 w-4/5" />
      <Skeleton className="mt-2 h-8 w-full" />
      <Skeleton className="h-8 w-full" />
      <Skeleton className="mt-3 h-3.5 w-20" />
      <Skeleton className="h-4 w-full" />
      <Skeleton className="h-4 w-2/3" />
    </div>
  )
}
