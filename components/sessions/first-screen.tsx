'use client'

import { type ReactNode, useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import { showDialog, showSettings } from '../shell/screen'
import { Button } from '../ui/button'
import { Kbd } from '../ui/kbd'
import { useImport } from './import-menu'

/** Nothing may move: a second click would meet what took its place. */
const BUSY = 'cursor-progress opacity-60'

/** What is seen before anything is open: three ways in. */
export function FirstScreen() {
  const actions = useActions()
  const from = useImport()
  const ready = useApp((state) => state.server?.reachable && state.server.keyConfigured)
  const [opening, setOpening] = useState<'sample' | 'chat' | null>(null)
  const enter = (door: 'sample' | 'chat', work: () => Promise<void>) => {
    setOpening(door)
    void work().finally(() => setOpening(null))
  }
  return (
    <div className="grid h-full place-items-center overflow-y-auto p-5">
      <div className="w-full max-w-190">
        <h1 className="m-0 mb-1.5 text-2xl font-[620] tracking-[-0.02em]">
          See what your model still sees.
        </h1>
        <p className="m-0 mb-6 max-w-150 text-md text-ink2">
          Chat with tools while every fact goes into a log that is never rewritten. When context is
          compacted, look underneath, move through time, and take back what you want.
        </p>
        <div className="grid gap-3 wide:grid-cols-3">
          <Door
            title="Open the sample session"
            picture={<SamplePicture />}
            actions={
              <Button
                tone="primary"
                className={opening === 'sample' ? BUSY : undefined}
                aria-busy={opening === 'sample'}
                onClick={() => enter('sample', actions.openSample)}
              >
                Open sample
              </Button>
            }
          >
            Over 600 events, three summaries laid over one another, one failed and one cancelled
            attempt. Two minutes to understand it all.
          </Door>
          <Door
            title="Chat now, no key"
            picture={<ChatPicture />}
            actions={
              <>
                <Button
                  className={opening === 'chat' ? BUSY : undefined}
                  aria-busy={opening === 'chat'}
                  onClick={() =>
                    enter('chat', () => actions.newSession({ kind: 'sample-workspace' }))
                  }
                >
                  Start
                </Button>
                <span className="text-ink2">
                  or{' '}
                  <button
                    type="button"
                    className="rounded-xs text-accent-ink underline-offset-2 hover:underline"
                    onClick={() => showSettings('models')}
                  >
                    {ready ? 'choose a real model' : 'use a real model'}
                  </button>
                </span>
              </>
            }
          >
            The offline reader searches, reads and quotes files with real tools. It is not a
            language model, and says so.
          </Door>
          <Door
            title="Bring a transcript"
            picture={<ImportPicture />}
            actions={
              <>
                <Button onClick={() => void from.files()}>Choose files</Button>
                <Button onClick={() => void from.folder()}>Folder</Button>
              </>
            }
          >
            Claude Code, Codex, DeepSeek Harness, pi, opencode, Gemini CLI, ChatGPT, Claude.ai, API
            requests, or a session from here. Drop files, folders or zips anywhere.
          </Door>
        </div>
        <div className="mt-4.5 flex flex-wrap items-center gap-x-4 gap-y-1 text-ink2">
          <span>Nothing leaves this browser but requests to the model you choose.</span>
          <button
            type="button"
            className="ml-auto flex items-center gap-1.5 rounded-sm hover:text-ink"
            onClick={() => showDialog('keys')}
          >
            <Kbd>?</Kbd> keys
          </button>
        </div>
      </div>
    </div>
  )
}

function Door({
  title,
  picture,
  children,
  actions,
}: {
  title: string
  picture: ReactNode
  children: ReactNode
  actions: ReactNode
}) {
  return (
    <section
      aria-label={title}
      className="flex min-h-58 flex-col rounded-xl border bg-panel px-4 pb-3.5 pt-4 transition-colors hover:border-line2"
    >
      <svg viewBox="0 0 200 62" className="mb-3 h-15.5 w-50 max-w-full" aria-hidden="true">
        {picture}
      </svg>
      <h2 className="m-0 text-md font-semibold">{title}</h2>
      <p className="m-0 mt-1 text-ink2">{children}</p>
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-3.5">{actions}</div>
    </section>
  )
}

type Strip = [x: number, y: number, width: number, height: number, fill: string, opacity?: number]

const strips = (rows: Strip[]) =>
  rows.map(([x, y, width, height, fill, opacity = 1]) => (
    <rect
      key={`${x} ${y}`}
      x={x}
      y={y}
      width={width}
      height={height}
      rx="2.5"
      fill={`var(--${fill})`}
      fillOpacity={opacity}
    />
  ))

const SamplePicture = () => (
  <>
    <path d="M1 18h118v5H1z" fill="var(--summary)" fillOpacity=".14" />
    <path d="M1 40h56v5H1z" fill="var(--summary)" fillOpacity=".1" />
    {strips([
      [0, 0, 120, 18, 'summary'],
      [122, 0, 10, 18, 'user'],
      [134, 0, 26, 18, 'assistant'],
      [162, 0, 36, 18, 'result'],
      [0, 22, 58, 18, 'summary', 0.4],
      [60, 22, 14, 18, 'assistant', 0.35],
      [76, 22, 44, 18, 'result', 0.35],
      [0, 44, 20, 18, 'user', 0.28],
      [22, 44, 16, 18, 'assistant', 0.28],
      [40, 44, 18, 18, 'result', 0.28],
    ])}
  </>
)

const ChatPicture = () => (
  <>
    {strips([
      [0, 2, 130, 15, 'user', 0.8],
      [0, 23, 74, 15, 'call', 0.85],
      [78, 23, 96, 15, 'result', 0.6],
      [0, 44, 160, 15, 'assistant', 0.75],
    ])}
  </>
)

const ImportPicture = () => (
  <>
    {strips([
      [0, 4, 60, 54, 'faint', 0.25],
      [10, 14, 40, 4, 'faint', 0.7],
      [10, 22, 30, 4, 'faint', 0.7],
      [10, 30, 36, 4, 'faint', 0.7],
      [140, 4, 60, 16, 'summary'],
      [140, 24, 28, 16, 'result', 0.5],
      [170, 24, 30, 16, 'assistant', 0.5],
      [140, 44, 60, 14, 'user', 0.3],
    ])}
    <path d="M82 31h28m-7-6 7 6-7 6" fill="none" stroke="var(--faint)" strokeWidth="2.5" />
  </>
)
