'use client'

import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { transcriptLength, viewNodeAt } from '@/lib/core/projections/transcript'
import { useActions, useSession } from '@/lib/state/hooks'
import type { SessionState } from '@/lib/state/model'
import { showDialog, showSettings } from '../shell/screen'
import { Button } from '../ui/button'
import { problemWords, type WayOut } from './problem-kinds'

const LABELS: Record<WayOut, string> = {
  model: 'Choose another model',
  settings: 'Settings',
  request: 'Thinking and limits…',
  tools: 'Go on without tools',
  edit: 'Edit the message in a fork',
  compact: 'Compact…',
  storage: 'Free some space',
  copy: 'Save a copy',
  reload: 'Reload the page',
}

/** Why nothing goes on, and the ways out of it. */
export function ProblemBar() {
  const problem = useSession((state) => state.live.problem)
  const hasChanged = useHasChanged()
  const go = useWays()
  const { retry } = useActions()
  // The explainer says more, and goes when its reason does.
  if (!problem || problem.code === 'automatic-stopped') return null
  const { title, help, again, ways } = problemWords(problem.code, problem.message)
  const mayRetry = again === 'now' || (again === 'once-changed' && hasChanged)
  return (
    <div
      role="alert"
      className="mb-2 flex flex-wrap items-start gap-x-3 gap-y-2 rounded-lg border border-err/50 bg-err-soft px-3 py-2"
    >
      <TriangleAlert size={15} className="mt-0.5 shrink-0 text-err-ink" aria-hidden="true" />
      <div className="min-w-48 flex-1">
        <p className="m-0 font-[550]">{title}</p>
        <p className="m-0 max-h-24 overflow-y-auto text-ink2 [overflow-wrap:anywhere]">
          {problem.message}
        </p>
        <p className="m-0 mt-0.5">{help}</p>
      </div>
      <div className="flex flex-wrap gap-1.5">
        {mayRetry ? (
          <Button size="sm" onClick={() => void retry()}>
            Try again
          </Button>
        ) : null}
        {ways.map((way) =>
          go[way] ? (
            <Button key={way} size="sm" onClick={go[way]}>
              {LABELS[way]}
            </Button>
          ) : null,
        )}
      </div>
    </div>
  )
}

/** Whether a request would differ from the one that failed: by choices, by tools, by what was compacted since. */
function useHasChanged(): boolean {
  const problem = useSession((state) => state.live.problem)
  const chosen = useSession((state) => state.chosen)
  const toolsOff = useSession((state) => state.toolsOff)
  const marks = useSession((state) => state.timeline.marks.length)
  const [failed, setFailed] = useState({ problem, chosen, toolsOff, marks })
  if (failed.problem !== problem) setFailed({ problem, chosen, toolsOff, marks })
  return failed.chosen !== chosen || failed.toolsOff !== toolsOff || failed.marks !== marks
}

/** The newest message a person wrote, for editing it; undefined where there is none. */
function newestMessage({ transcript }: SessionState): number | undefined {
  for (let index = transcriptLength(transcript) - 1; index >= 0; index--) {
    const node = viewNodeAt(transcript, index)
    if (node?.kind === 'user') return node.seq
  }
}

function useWays(): Partial<Record<WayOut, () => void>> {
  const { retry, setTools, editInFork, exportSession } = useActions()
  const message = useSession((state) => (state.live.problem ? newestMessage(state) : undefined))
  return {
    model: () => showDialog('custom-model'),
    settings: () => showSettings('models'),
    request: () => showDialog('session-settings'),
    tools: () => {
      setTools(false)
      void retry()
    },
    ...(message !== undefined && { edit: () => void editInFork(message) }),
    compact: () => showDialog('compact'),
    storage: () => showSettings('storage'),
    // What could not be stored is in it.
    copy: () => void exportSession('native'),
    reload: () => location.reload(),
  }
}
