'use client'

import { CircleAlert, CircleSlash } from 'lucide-react'
import type { Seq } from '@/lib/core/event'
import { type Block, isText, type JsonObject, textOf } from '@/lib/core/message'
import type { CallView } from '@/lib/core/projections/transcript'
import { useBody, useSession } from '@/lib/state/hooks'
import { CopyButton } from '../ui/copy-button'
import { cx } from '../ui/cx'
import { Fold } from '../ui/fold'
import { duration, exact, short } from '../ui/format'
import { LongText } from '../ui/long-text'
import { Name } from '../ui/name'
import { Spinner } from '../ui/spinner'
import { useNow } from '../ui/use-now'
import { BlockView } from './blocks'
import { useChatView } from './chat-view'
import { useRemembered } from './memory'
import { ShadowMark, useSelectOnClick } from './message'
import { callWords, durationOf, inputText } from './rows'
import { useFound, useIsSelected, useStanding } from './standing'

/** A tool call with what became of it: one line, input and output beneath. */
export function ToolRow({
  call,
  input,
  assistantSeq,
}: {
  call: CallView
  /** Undefined while the message's body is read. */
  input: JsonObject | undefined
  assistantSeq: Seq
}) {
  const [opened, setOpen] = useRemembered(`tool ${assistantSeq} ${call.callId}`, false)
  const found = useFound(call.resultSeq)
  const foundInput = useFound(assistantSeq)
  const inInput =
    foundInput !== null &&
    JSON.stringify(input ?? '')
      .toLowerCase()
      .includes(foundInput)
  const open = opened || found !== null || inInput
  const seq = call.resultSeq ?? call.callSeq ?? assistantSeq
  const standing = useStanding(seq)
  const model = useChatView((state) => state.model)
  const selected = useIsSelected([call.callSeq, call.resultSeq])
  const name = call.name ?? 'tool'
  return (
    <div
      data-seq={seq}
      data-kind="call"
      data-shadowed={standing.replacedBy !== null || undefined}
      className={cx(
        'my-1.5 rounded-lg border bg-panel',
        standing.dim && 'faded',
        selected && 'border-line2 bg-hover ring-1 ring-line2',
      )}
      {...useSelectOnClick(seq)}
    >
      <Fold
        open={open}
        onOpenChange={setOpen}
        className="px-2.5"
        triggerClassName="h-8"
        label={`${name} ${callWords(input)}`}
        summary={
          <>
            <span className="mono shrink-0 font-semibold text-call-ink">
              <Name>{name}</Name>
            </span>
            <span className="mono min-w-0 flex-1 truncate">
              <Name>{callWords(input)}</Name>
            </span>
          </>
        }
        aside={
          <span className="mono flex shrink-0 items-center gap-2 text-ink3">
            <CallState call={call} />
            {standing.replacedBy === null ? null : <ShadowMark brief by={standing.replacedBy} />}
          </span>
        }
      >
        <div className="flex flex-col gap-2.5 border-t py-2">
          {input ? <Part title="Input" text={inputText(input)} /> : null}
          {call.resultSeq === null ? null : (
            <Output
              seq={(model ? standing.replacedBy : null) ?? call.resultSeq}
              failed={call.failed}
              found={found}
            />
          )}
        </div>
      </Fold>
    </div>
  )
}

function CallState({ call }: { call: CallView }) {
  const result = useSession((state) =>
    call.resultSeq === null ? undefined : state.log.heads[call.resultSeq],
  )
  const running = useSession((state) =>
    state.live.running.some(({ callId }) => callId === call.callId),
  )
  if (running) return <Running call={call} />
  if (call.resultSeq === null)
    return (
      <span className="flex items-center gap-1">
        <CircleSlash size={12} aria-hidden="true" />
        {call.callSeq === null ? 'not started' : 'no answer'}
      </span>
    )
  const ms = durationOf(result)
  const tokens = result?.tokens ?? 0
  return (
    <>
      {call.failed ? (
        <span className="flex items-center gap-1 text-err-ink">
          <CircleAlert size={12} aria-hidden="true" />
          error
        </span>
      ) : null}
      <span
        className="max-wide:hidden"
        title={`${exact(tokens)} tokens${ms === null ? '' : `, ${ms} ms`}`}
      >
        {short(tokens)} tok
        {ms !== null && ms >= 1000 ? ` · ${duration(ms)}` : ''}
      </span>
    </>
  )
}

function Running({ call }: { call: CallView }) {
  const started = useSession((state) =>
    call.callSeq === null ? undefined : state.log.heads[call.callSeq]?.time,
  )
  const now = useNow(1000)
  const ms = started === undefined ? 0 : now - started
  return (
    <span className="flex items-center gap-1.5">
      <Spinner size={11} />
      running{ms >= 2000 ? ` ${duration(ms)}` : ''}
    </span>
  )
}

type Found = {
  /** Words of the find bar that the output holds. */
  found: string | null
}

function Output({ seq, failed, found }: { seq: Seq; failed: boolean } & Found) {
  const event = useBody(seq)
  if (event?.type !== 'tool/result') return <p className="m-0 text-ink2">Reading…</p>
  return <ResultContent content={event.data.content} failed={failed} found={found} />
}

function ResultContent({
  content,
  failed,
  found,
}: { content: readonly Block[]; failed: boolean } & Found) {
  const text = textOf(content)
  const rest = content.filter((block) => !isText(block))
  return (
    <>
      {text || rest.length === 0 ? (
        <Part
          title={failed ? 'Error' : 'Output'}
          text={text || '(empty)'}
          failed={failed}
          found={found}
        />
      ) : null}
      {rest.map((block, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: content never changes
        <BlockView key={i} block={block} id={`result ${i}`} />
      ))}
    </>
  )
}

function Part({
  title,
  text,
  failed = false,
  found = null,
}: {
  title: string
  text: string
  failed?: boolean
} & Partial<Found>) {
  return (
    <section aria-label={title}>
      <div className="flex h-6 items-center">
        <h3 className={cx('m-0 text-xs font-semibold', failed ? 'text-err-ink' : 'text-ink2')}>
          {title}
        </h3>
        <CopyButton label={`Copy ${title.toLowerCase()}`} text={text} className="ml-auto" />
      </div>
      <LongText text={text} reveal={found} />
    </section>
  )
}

/** A result whose call the log does not hold. */
export function OrphanResult({
  seq,
  callId,
  failed,
}: {
  seq: Seq
  callId: string
  failed: boolean
}) {
  const name = useSession((state) => state.log.heads[seq]?.name)
  return (
    <ToolRow
      assistantSeq={seq}
      call={{ callId, name, callSeq: null, resultSeq: seq, failed }}
      input={undefined}
    />
  )
}
