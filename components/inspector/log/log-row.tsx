'use client'

import { ChevronRight } from 'lucide-react'
import { CopyButton } from '@/components/ui/copy-button'
import { cx } from '@/components/ui/cx'
import { exact, moment as moments } from '@/components/ui/format'
import { KindMark } from '@/components/ui/kind-mark'
import { KINDS, kindOf } from '@/components/ui/kinds'
import { LongText } from '@/components/ui/long-text'
import { Facts } from '@/components/ui/panel'
import { Spinner } from '@/components/ui/spinner'
import type { EventHead, Seq } from '@/lib/core/event'
import { useBody, useSession } from '@/lib/state/hooks'
import { CompactionFacts } from '../detail/compaction-facts'
import { LinkFacts } from '../detail/node-facts'
import { linksAt } from '../shared/indexes'
import { SeqLink } from '../shared/seq-link'
import type { RowProps } from '../shared/virtual-rows'
import { headline, previewOf } from '../shared/words'

type Props = {
  seq: Seq
  props: RowProps
  open: boolean
  selected: boolean
  future: boolean
  /** The playhead stands on it. */
  now: boolean
  onToggle(): void
}

/** One event: a line, and when opened its links and its JSON. */
export function LogRow({ seq, props, open, selected, future, now, onToggle }: Props) {
  const head = useSession((state) => state.log.heads[seq])
  const above = useSession((state) => state.log.history.replacementOf(seq, state.version - 1))
  const event = useBody(seq)
  if (!head) return null
  const kind = kindOf(head)
  const words = [headline(head), event ? previewOf(event) : ''].filter(Boolean).join('  ')
  return (
    <div
      data-seq={seq}
      data-type={head.type}
      className={cx(
        'rounded-sm',
        selected ? 'bg-active' : 'hover:bg-hover',
        future && 'bg-hover/60',
        now && 'shadow-[inset_2px_0_0_var(--accent)]',
      )}
    >
      <button
        type="button"
        {...props}
        aria-expanded={open}
        aria-current={selected ? 'true' : undefined}
        onClick={onToggle}
        className="flex h-6.5 w-full items-center gap-2 px-1 text-left outline-offset-[-2px]"
      >
        <ChevronRight
          size={12}
          className={cx('shrink-0 text-ink3 transition-transform', open && 'rotate-90')}
        />
        <span className="mono min-w-9 shrink-0 text-right text-ink2">#{seq}</span>
        <KindMark kind={kind} />
        <span className={cx('mono w-31 shrink-0', KINDS[kind].text)}>{head.type}</span>
        <span className="mono min-w-0 flex-1 truncate text-ink2">{words}</span>
        {above === null ? null : (
          <span className="mono shrink-0 text-ink2" title={`Shadowed by #${above}`}>
            ↥ #{above}
          </span>
        )}
        {head.tokens > 0 ? <span className="mono shrink-0">{exact(head.tokens)}</span> : null}
      </button>
      {open ? <OpenRow head={head} /> : null}
    </div>
  )
}

function OpenRow({ head }: { head: EventHead }) {
  const log = useSession((state) => state.log)
  const newest = useSession((state) => state.version - 1)
  const event = useBody(head.seq)
  const links = linksAt(log, head.seq, newest)
  const sources = links.sources.slice(0, 12)
  return (
    <div className="mb-1 ml-6 flex flex-col gap-2 border-l pb-2 pl-3 pr-2">
      <Facts>
        <LinkFacts head={head} links={links} moment={newest} />
        {links.bracket ? <CompactionFacts bracket={links.bracket} /> : null}
        {sources.length > 0 ? (
          <>
            <dt className="text-ink2">Sources</dt>
            <dd className="m-0 flex flex-wrap gap-x-2">
              {sources.map((seq) => (
                <SeqLink key={seq} seq={seq} />
              ))}
              {links.sources.length > sources.length ? (
                <span className="text-ink2">and {links.sources.length - sources.length} more</span>
              ) : null}
            </dd>
          </>
        ) : null}
        <dt className="text-ink2">Time</dt>
        <dd className="mono m-0">{moments(head.time)}</dd>
      </Facts>
      {event ? (
        <div className="relative rounded-md border bg-paper p-2 pr-9">
          <LongText text={JSON.stringify(event, null, 2)} />
          <CopyButton
            label="Copy the JSON"
            className="absolute right-1 top-1"
            text={() => JSON.stringify(event, null, 2)}
          />
        </div>
      ) : (
        <p className="m-0 flex items-center gap-2 text-ink2">
          <Spinner /> Reading the event
        </p>
      )}
    </div>
  )
}
