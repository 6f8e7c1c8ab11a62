'use client'

import { CircleAlert, CircleCheck, CircleHelp } from 'lucide-react'
import type { RequestProof } from '@/lib/state/hooks'
import { type Verdict, verdictOf } from './parts'

const SAYS: Record<Verdict, { words: string; tone: string }> = {
  equal: { words: 'hash equals what was sent', tone: 'text-assistant-ink' },
  different: {
    words: 'hash differs from what was sent: this log was changed, or rebuilt wrongly',
    tone: 'text-err-ink',
  },
  'other-builder': {
    words: 'sent by another version of this program, so the hashes cannot be compared',
    tone: 'text-ink2',
  },
  unrecorded: { words: 'no hash was recorded with this request', tone: 'text-ink2' },
}

/** Whether what is shown is what was sent, and how that is known (Q5). */
export function Proof({ proof }: { proof: RequestProof }) {
  const verdict = verdictOf(proof)
  const Icon =
    verdict === 'equal' ? CircleCheck : verdict === 'different' ? CircleAlert : CircleHelp
  const says = SAYS[verdict]
  return (
    <p
      data-testid="proof"
      data-verdict={verdict}
      className={`m-0 flex items-center gap-1.5 border-b px-3.5 pb-2 ${says.tone}`}
    >
      <Icon size={13} className="shrink-0" />
      {says.words}
      <span className="mono min-w-0 truncate text-ink3" title={`sha256 ${proof.hash}`}>
        sha256 {proof.hash.slice(0, 12)}…
      </span>
    </p>
  )
}
