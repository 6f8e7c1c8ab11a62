'use client'

import { exact, percent } from '@/components/ui/format'
import { type RequestProof, useRequest, useSession } from '@/lib/state/hooks'
import { SeqLink } from '../shared/seq-link'
import { firstChange, type Prefix, prefixOf, stepBefore } from './prefix'

export type Since = { before: number; prefix: Prefix } | null

/** The request compared with that of the step before; null while it is rebuilt, or where there is none. */
export function useSince(proof: RequestProof): Since {
  const before = useSession((state) => stepBefore(state.log, proof.seq))
  const earlier = useRequest(before ?? -1)
  if (before === null || earlier.state !== 'ready') return null
  return { before, prefix: prefixOf(earlier.proof.body, proof.body) }
}

const WORDS = {
  model: 'another model, so nothing carries over',
  tools: 'the tools changed',
  system: 'the system prompt changed',
} as const

/** Where what the last request sent ends in this one, and why. */
export function SinceLine({ since, seq }: { since: Since; seq: number }) {
  const log = useSession((state) => state.log)
  if (!since) return null
  const { prefix, before } = since
  const { why, tokens, total } = prefix
  const change = why === 'messages' ? firstChange(log, before, seq) : null
  return (
    <p className="m-0 text-ink2" data-testid="since" data-why={why} data-rows={prefix.rows}>
      since <SeqLink seq={before} />: the first{' '}
      <span className="mono text-ink">{exact(tokens)}</span> of{' '}
      <span className="mono">{exact(total)}</span> tokens are the same (
      {percent(total ? tokens / total : 0)})
      {why === 'whole' ? '; the rest was added at the end' : null}
      {why in WORDS ? `; ${WORDS[why as keyof typeof WORDS]}` : null}
      {change ? (
        <>
          ; there <SeqLink seq={change.was} />{' '}
          {change.is === null ? (
            'is gone'
          ) : (
            <>
              gave way to <SeqLink seq={change.is} />
            </>
          )}
        </>
      ) : why === 'messages' ? (
        '; there a message is sent in another form'
      ) : null}
    </p>
  )
}
