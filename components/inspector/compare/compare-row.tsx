'use client'

import { cx } from '@/components/ui/cx'
import { count, exact } from '@/components/ui/format'
import { KindLabel, KindMark } from '@/components/ui/kind-mark'
import { kindOf } from '@/components/ui/kinds'
import type { Seq } from '@/lib/core/event'
import { useActions, useBody, useSession } from '@/lib/state/hooks'
import type { RowProps } from '../shared/virtual-rows'
import { previewOf } from '../shared/words'
import type { CompareRow } from './moments'

const SIGN = { gone: '−', came: '+', kept: '=' } as const
const TITLE = { gone: 'Left the surface', came: 'Came', kept: 'Stayed' } as const
const TONE = { gone: 'text-err-ink', came: 'text-assistant-ink', kept: 'text-ink3' } as const

type Props = {
  row: CompareRow
  props: RowProps
  chosen: Seq | null
  keptShown?: boolean
  onKept?(): void
  /** No room for the word of the kind. */
  dense?: boolean
}

/** A heading or a node of the comparison. */
export function ComparisonRow({ row, props, chosen, keptShown, onKept, dense }: Props) {
  if (row.row === 'node')
    return (
      <NodeRow
        seq={row.seq}
        title={row.title}
        props={props}
        chosen={row.seq === chosen}
        dense={dense ?? false}
      />
    )
  return (
    <div className="flex h-full items-end gap-2 border-b px-1 pb-1 text-xs font-semibold text-ink2">
      {TITLE[row.title]}
      <span className="font-normal" data-testid={`compare-${row.title}`} data-count={row.count}>
        {count(row.count, 'node')}
        {row.count > 0 ? ` · ${exact(row.tokens)} tok` : ''}
      </span>
      {row.title === 'kept' && row.count > 0 ? (
        <button
          type="button"
          {...props}
          aria-expanded={keptShown}
          onClick={() => onKept?.()}
          className="ml-auto font-normal text-accent-ink underline-offset-2 hover:underline"
        >
          {keptShown ? 'hide' : 'show'}
        </button>
      ) : null}
    </div>
  )
}

function NodeRow({
  seq,
  title,
  props,
  chosen,
  dense,
}: {
  seq: Seq
  title: CompareRow['title']
  props: RowProps
  chosen: boolean
  dense: boolean
}) {
  const { select } = useActions()
  const head = useSession((state) => state.log.heads[seq])
  const event = useBody(seq)
  if (!head) return null
  return (
    <button
      type="button"
      {...props}
      data-seq={seq}
      aria-current={chosen ? 'true' : undefined}
      onClick={() => select(seq)}
      className={cx(
        'flex h-full w-full items-center gap-2.5 rounded-sm px-1.5 text-left outline-offset-[-2px]',
        chosen ? 'bg-active' : 'hover:bg-hover',
      )}
    >
      <span className={cx('mono w-3 shrink-0 font-semibold', TONE[title])}>{SIGN[title]}</span>
      <span className="mono min-w-9 shrink-0 text-right text-ink2">#{seq}</span>
      {dense ? (
        <KindMark kind={kindOf(head)} />
      ) : (
        <span className="w-24 shrink-0">
          <KindLabel kind={kindOf(head)} />
        </span>
      )}
      <span className="mono min-w-0 flex-1 truncate text-ink2">
        {event ? previewOf(event) : ''}
      </span>
      <span className="mono w-13 shrink-0 text-right">{exact(head.tokens)}</span>
    </button>
  )
}
