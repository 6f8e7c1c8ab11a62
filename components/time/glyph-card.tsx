'use client'

import { doubtsOf } from '@/components/inspector/shared/indexes'
import { cacheWords, costWords } from '@/components/review/cost-words'
import { useCost } from '@/components/review/use-cost'
import { Facts } from '@/components/ui/facts'
import { moment, short } from '@/components/ui/format'
import { Name } from '@/components/ui/name'
import type { Seq } from '@/lib/core/event'
import type { Mark } from '@/lib/core/projections/timeline'
import { useBody, useSession } from '@/lib/state/hooks'
import { glyphCount, glyphEffect, glyphReason, glyphTitle } from './glyph-words'

/** What one glyph of the time bar stands for: kind, trigger, when, before and after, cost, certainty. */
export function GlyphCard({ mark, isHere }: { mark: Mark; isHere: boolean }) {
  const began = useSession((state) => state.log.heads[mark.from])
  const doubt = useSession((state) => doubtsOf(state.log).get(mark.seq))
  if (!began) return null
  return (
    <>
      <p className="m-0 flex items-baseline gap-2">
        <b className={`min-w-0 flex-1 font-semibold ${toneOf(mark)}`}>{glyphTitle(mark)}</b>
        <span className="mono text-ink3">#{mark.seq}</span>
      </p>
      <p className="m-0 text-ink2">
        <Facts facts={[glyphReason(mark), glyphCount(mark)]} />
      </p>
      <p className="mono m-0 text-ink">{glyphEffect(mark)}</p>
      {began.compactionId === undefined ? null : <Cost id={began.compactionId} mark={mark} />}
      {mark.status === 'failed' ? <Failure seq={mark.to} /> : null}
      <p className="m-0 text-ink2">{moment(began.time)}</p>
      {doubt ? (
        <p className="m-0 text-summary-ink">
          {doubt === 'derived'
            ? 'What it replaced was worked out on import, not recorded.'
            : 'What it replaced is not known: the import does not say.'}
        </p>
      ) : null}
      {isHere ? null : <p className="m-0 text-ink3">Click to go there.</p>}
    </>
  )
}

const toneOf = ({ kind, status }: Mark): string => {
  if (status === 'failed') return 'text-err-ink'
  if (status !== 'done' && status !== 'running') return 'text-ink'
  if (kind === 'restore') return 'text-user-ink'
  return kind === 'micro' || kind === 'prune' ? 'text-pruned-ink' : 'text-summary-ink'
}

/** Why nothing came of it, as the log says. */
function Failure({ seq }: { seq: Seq }) {
  const end = useBody(seq)
  const message = end?.type === 'compact/end' ? end.data.error?.message : undefined
  if (!message) return null
  return (
    <p className="m-0 line-clamp-3 text-err-ink [overflow-wrap:anywhere]">
      <Name>{message}</Name>
    </p>
  )
}

function Cost({ id, mark }: { id: string; mark: Mark }) {
  const cost = useCost(id, mark.status === 'running' ? null : mark.to)
  if (!cost) return null
  const saved = cost.savedPerRequest ?? 0
  const facts = [...costWords(cost), saved > 0 ? `saves ${short(saved)} a request` : null]
  return (
    <p className="mono m-0 text-ink2" title={cacheWords(cost)} data-testid="glyph-cost">
      <Facts facts={facts} />
    </p>
  )
}
