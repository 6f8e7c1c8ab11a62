'use client'

import { exact } from '@/components/ui/format'
import { KindMark } from '@/components/ui/kind-mark'
import { kindOf } from '@/components/ui/kinds'
import { Fact } from '@/components/ui/panel'
import type { EventHead, Seq } from '@/lib/core/event'
import type { Links } from '@/lib/core/projections/links'
import { bracketOf } from '@/lib/core/projections/links'
import { useSession } from '@/lib/state/hooks'
import { bracketsAt, linkIndexOf, pinnedAt, returnedAt } from '../shared/indexes'
import { SeqLink, SeqSpan } from '../shared/seq-link'
import { TRIGGERS } from '../shared/words'

/** `#388 · summary · auto (pressure)` */
export function NodeFact({ head }: { head: EventHead }) {
  const words = useWords(head)
  return (
    <Fact name={head.op && head.type !== 'surface/restore' ? 'Node' : 'Event'}>
      <span className="font-semibold">
        <KindMark kind={kindOf(head)} /> {[`#${head.seq}`, ...words].join(' · ')}
      </span>
    </Fact>
  )
}

function useWords(head: EventHead): string[] {
  const log = useSession((state) => state.log)
  const words: string[] = []
  const kind = kindOf(head)
  if (head.type === 'user/message' && kind === 'summary') {
    const start = head.compactionId
      ? bracketOf(linkIndexOf(log), log.heads, head.compactionId).start
      : null
    words.push('summary')
    if (start !== null) words.push(TRIGGERS[log.heads[start]!.kind ?? ''] ?? '')
  } else if (head.type === 'tool/result') {
    words.push(kind === 'pruned' ? 'pruned result' : 'tool result')
    if (head.name) words.push(head.name)
  } else if (head.type === 'assistant/message') {
    words.push('assistant')
    if (head.names?.length) words.push(`calls ${head.names.join(', ')}`)
  } else if (head.type === 'user/message') words.push(head.kind === 'notice' ? 'notice' : 'user')
  else words.push(head.type)
  if (head.kind === 'error') words.push('failed')
  if (head.kind === 'interrupted') words.push('interrupted')
  if (head.tokens > 0) words.push(`${exact(head.tokens)} tok`)
  if (head.turn !== undefined) words.push(`turn ${head.turn}`)
  if (head.step !== undefined) words.push(`step ${head.step}`)
  return words.filter(Boolean)
}

/** What it lies on, what lies on it, what it answers. */
export function LinkFacts({ head, links, moment }: { head: EventHead; links: Links; moment: Seq }) {
  const log = useSession((state) => state.log)
  const isNode = head.op !== undefined && head.type !== 'surface/restore'
  const shadowed = links.shadows.reduce((sum, seq) => sum + log.heads[seq]!.tokens, 0)
  return (
    <>
      {links.shadows.length > 0 ? (
        <Fact name="Shadows">
          <span className="mono">
            <SeqSpan seqs={links.shadows} /> · {exact(links.shadows.length)}{' '}
            {links.shadows.length === 1 ? 'node' : 'nodes'} · {exact(shadowed)} tok
            {links.shadows.length > 1 ? ', in surface order' : ''}
          </span>
        </Fact>
      ) : null}
      {isNode ? (
        <Fact name="Replaced by">
          <Above head={head} links={links} moment={moment} />
        </Fact>
      ) : null}
      {isNode ? <Protection seq={head.seq} moment={moment} /> : null}
      {links.calls.map((call) => (
        <Fact key={call.callId} name={head.type === 'tool/result' ? 'Answers' : 'Call'}>
          <span className="inline-flex flex-wrap gap-x-2">
            {call.message !== null && call.message !== head.seq ? (
              <span>
                asked in <SeqLink seq={call.message} />
              </span>
            ) : null}
            {call.call !== null && call.call !== head.seq ? (
              <span>
                intent <SeqLink seq={call.call} />
              </span>
            ) : null}
            {call.results
              .filter((seq) => seq !== head.seq)
              .map((seq) => (
                <span key={seq}>
                  {kindOf(log.heads[seq]!) === 'pruned' ? 'pruned to' : 'result'}{' '}
                  <SeqLink seq={seq} />
                </span>
              ))}
            {call.results.length === 0 ? <span className="text-ink2">not answered</span> : null}
          </span>
        </Fact>
      ))}
      {links.prune !== null ? (
        <Fact name={head.type === 'compact/prune' ? 'Left' : 'Pruned by'}>
          <SeqLink seq={links.prune} /> {TRIGGERS[log.heads[links.prune]!.kind ?? ''] ?? null}
        </Fact>
      ) : null}
    </>
  )
}

function Above({ head, links, moment }: { head: EventHead; links: Links; moment: Seq }) {
  if (head.seq > moment) return <span className="text-ink2">not written yet at this moment</span>
  if (links.restoredBy !== null)
    return (
      <>
        lifted off by <SeqLink seq={links.restoredBy} />: what it shadowed came back
      </>
    )
  if (links.replacedBy !== null) return <SeqLink seq={links.replacedBy} />
  return <>nothing: on the surface {head.blank ? 'but without content' : 'at this moment'}</>
}

/** Pins and the exemption of what a restore brought back (K1, S7). */
function Protection({ seq, moment }: { seq: Seq; moment: Seq }) {
  const log = useSession((state) => state.log)
  const pinned = pinnedAt(log, moment).has(seq)
  const returned = returnedAt(log, moment).has(seq)
  const running = bracketsAt(log, moment).running
  if (!pinned && !returned && running?.start !== seq) return null
  return (
    <Fact name="Protected">
      {pinned ? 'pinned: no compaction takes it' : null}
      {pinned && returned ? '; ' : null}
      {returned ? 'restored: automatic compaction leaves it until it is unpinned' : null}
      {running?.start === seq ? 'being summarised' : null}
    </Fact>
  )
}
