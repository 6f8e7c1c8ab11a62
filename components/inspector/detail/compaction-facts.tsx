'use client'

import { failureWords } from '@/components/chat/compaction-words'
import { duration, exact, money, percent } from '@/components/ui/format'
import { Fact } from '@/components/ui/panel'
import type { EventOf, Seq } from '@/lib/core/event'
import type { Usage } from '@/lib/core/message'
import type { Bracket } from '@/lib/core/projections/links'
import { useApp, useBody, useSession } from '@/lib/state/hooks'
import type { ModelInfo } from '@/lib/state/model'
import { SeqLink } from '../shared/seq-link'

const inputOf = (usage: Usage): number =>
  usage.input_tokens +
  (usage.cache_creation_input_tokens ?? 0) +
  (usage.cache_read_input_tokens ?? 0)

/** Dollars, where the model's prices are known. */
function costOf(usage: Usage, price: ModelInfo['price']): number | null {
  if (!price) return null
  const million = 1_000_000
  return (
    (usage.input_tokens * price.input +
      usage.output_tokens * price.output +
      (usage.cache_read_input_tokens ?? 0) * price.cacheRead +
      (usage.cache_creation_input_tokens ?? 0) * price.cacheWrite) /
    million
  )
}

/** The model call behind a summary, and the bracket it stands in. */
export function CompactionFacts({ bracket }: { bracket: Bracket }) {
  const start = useBody(bracket.start)
  const summary = useBody(bracket.summary)
  const code = useSession((state) =>
    bracket.end === null ? undefined : state.log.heads[bracket.end]?.kind,
  )
  return (
    <>
      {summary?.type === 'compact/summary' ? <Call event={summary} /> : null}
      {start?.type === 'compact/start' && start.data.instructions ? (
        <Fact name="Focus">{start.data.instructions}</Fact>
      ) : null}
      {start?.type === 'compact/start' && start.data.measured !== undefined ? (
        <Fact name="Because">
          <span className="mono">
            {exact(start.data.measured)} tok
            {start.data.threshold === undefined
              ? ''
              : `, compacts above ${exact(start.data.threshold)}`}
          </span>
        </Fact>
      ) : null}
      {code ? <Fact name="Outcome">{failureWords(code)}</Fact> : null}
      <Fact name="Bracket">
        <Step seq={bracket.start} word="start" />
        <Step seq={bracket.draft} word="draft" />
        <Step seq={bracket.summary} word="summary" />
        <Step seq={bracket.checkpoint} word="checkpoint" />
        <Step seq={bracket.end} word={code ? `ended: ${code}` : 'end'} failed={Boolean(code)} />
        {bracket.end === null ? <span className="text-summary-ink">still open</span> : null}
      </Fact>
    </>
  )
}

function Step({ seq, word, failed }: { seq: Seq | null; word: string; failed?: boolean }) {
  if (seq === null) return null
  return (
    <span className="mr-2.5 whitespace-nowrap">
      <SeqLink seq={seq} /> <span className={failed ? 'text-err-ink' : 'text-ink2'}>{word}</span>
    </span>
  )
}

function Call({ event }: { event: EventOf<'compact/summary'> }) {
  const { model, maxTokens, usage, ms, certainty, edited, opaque } = event.data
  const price = useApp((state) => state.models.find((info) => info.id === model)?.price)
  const input = usage ? inputOf(usage) : null
  const cost = usage ? costOf(usage, price) : null
  const cached = usage && input ? (usage.cache_read_input_tokens ?? 0) / input : null
  const words = [
    model ?? 'model unknown',
    maxTokens === undefined ? null : `max ${exact(maxTokens)}`,
    input === null
      ? 'usage unknown'
      : `in ${exact(input)}${cached === null ? '' : ` (cache ${percent(cached)})`}`,
    usage ? `out ${exact(usage.output_tokens)}` : null,
    cost === null ? null : money(cost),
    ms === undefined ? null : duration(ms),
  ]
  return (
    <>
      <Fact name="Summariser">
        <span className="mono">{words.filter(Boolean).join(' · ')}</span>
      </Fact>
      {certainty === 'exact' && !edited && !opaque ? null : (
        <Fact name="Certainty">
          {[
            certainty === 'exact' ? null : `its range is ${certainty}`,
            edited ? 'the text was edited by hand' : null,
            opaque ? 'the text is not readable' : null,
          ]
            .filter(Boolean)
            .join('; ')}
        </Fact>
      )}
    </>
  )
}
