'use client'

import { TriangleAlert } from 'lucide-react'
import { useActions, useSession } from '@/lib/state/hooks'
import { showDialog, showSettings } from '../shell/screen'
import { Button } from '../ui/button'
import { problemWords, type WayOut } from './problems'

const LABELS: Record<WayOut, string> = {
  retry: 'Try again',
  model: 'Choose another model',
  settings: 'Settings',
  compact: 'Compact…',
  storage: 'Storage',
  reload: 'Reload the page',
}

/** Why nothing goes on, and the ways out of it. */
export function ProblemBar() {
  const problem = useSession((state) => state.live.problem)
  const { retry } = useActions()
  // The explainer says more, and goes when its reason does.
  if (!problem || problem.code === 'automatic-stopped') return null
  const { title, ways } = problemWords(problem.code)
  const go: Record<WayOut, () => void> = {
    retry: () => void retry(),
    model: () => showDialog('custom-model'),
    settings: () => showSettings('models'),
    compact: () => showDialog('compact'),
    storage: () => showSettings('storage'),
    reload: () => location.reload(),
  }
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
      </div>
      <div className="flex flex-wrap gap-1.5">
        {ways.map((way) => (
          <Button key={way} size="sm" onClick={go[way]}>
            {LABELS[way]}
          </Button>
        ))}
      </div>
    </div>
  )
}
