'use client'

import { isText, type Message } from '@/lib/core/message'
import { useActions, useRequest } from '@/lib/state/hooks'
import { CopyButton } from '../ui/copy-button'
import { count, exact } from '../ui/format'
import { LongText } from '../ui/long-text'
import { Name } from '../ui/name'
import { SectionTitle } from '../ui/panel'
import { Spinner } from '../ui/spinner'

const wordsOf = (message: Message | undefined): string =>
  message?.content.map((block) => (isText(block) ? block.text : `[${block.type}]`)).join('\n\n') ??
  ''

/** The exact request a draft was written for, its last message open. */
export function PromptPane({ startSeq }: { startSeq: number }) {
  const request = useRequest(startSeq)
  return (
    <section aria-label="Prompt" className="flex h-full min-h-0 flex-col">
      <div className="px-4 pt-2.5">
        <SectionTitle tall>The prompt behind it</SectionTitle>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-4 pb-3">
        {request.state === 'ready' ? (
          <Prompt body={request.proof.body} />
        ) : request.state === 'loading' ? (
          <p className="m-0 flex items-center gap-2 text-ink2">
            <Spinner /> Rebuilding the request
          </p>
        ) : (
          <p className="m-0 text-ink2">
            {request.state === 'failed'
              ? `This request cannot be rebuilt. ${request.problem}`
              : 'No model was asked.'}
          </p>
        )}
      </div>
    </section>
  )
}

type Body = Extract<ReturnType<typeof useRequest>, { state: 'ready' }>['proof']['body']

function Prompt({ body }: { body: Body }) {
  const { wholeRequest } = useActions()
  const before = body.messages.length - 1
  return (
    <div className="flex flex-col gap-3">
      <p className="mono m-0 flex items-center gap-2 text-ink2">
        <span className="min-w-0 flex-1">
          <Name>{body.model}</Name> · at most {exact(body.max_tokens)} tokens out ·{' '}
          {before > 0
            ? `${count(before, 'message')} of the conversation, then this:`
            : 'the conversation as text:'}
        </span>
        <CopyButton
          label="Copy the whole request"
          text={async () => JSON.stringify(await wholeRequest(body), null, 2)}
        />
      </p>
      <LongText text={wordsOf(body.messages.at(-1))} />
    </div>
  )
}
