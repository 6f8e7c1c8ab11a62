'use client'

import { useActions, useApp } from '@/lib/state/hooks'
import { count, when } from '../ui/format'
import { Name } from '../ui/name'
import { useNow } from '../ui/use-now'

const KINDS = {
  user: 'you',
  assistant: 'assistant',
  result: 'result',
  call: 'call',
  summary: 'summary',
}

/** What was said in all sessions and holds the words that were typed; newest first. */
export function SearchHits({ onOpened }: { onOpened(): void }) {
  const search = useApp((state) => state.search)
  const { openHit } = useActions()
  const now = useNow(60_000)
  if (!search) return null
  const { hits, running } = search
  return (
    <section aria-label="Found in conversations" className="flex min-h-0 flex-1 flex-col border-t">
      <p role="status" className="m-0 px-4 pb-1 pt-2 text-xs text-ink3">
        {running && hits.length === 0 ? 'Searching conversations…' : null}
        {hits.length > 0 ? `${count(hits.length, 'place')} in conversations` : null}
        {!running && hits.length === 0 ? 'Nothing in conversations' : null}
      </p>
      <ul className="m-0 min-h-0 flex-1 list-none overflow-y-auto px-2.5 pb-2.5 pt-0">
        {hits.map((hit) => (
          <li key={`${hit.sessionId}#${hit.seq}`}>
            <button
              type="button"
              className="block w-full rounded-lg px-2.5 py-1.5 text-left hover:bg-hover"
              onClick={() => {
                openHit(hit.sessionId, hit.seq)
                onOpened()
              }}
            >
              <span className="flex items-baseline gap-1.5 text-xs text-ink3">
                <span className="min-w-0 flex-1 truncate">
                  <Name>{hit.title || 'Untitled session'}</Name>
                </span>
                <span className="shrink-0">
                  {hit.tool ?? KINDS[hit.kind]} · {when(hit.time, now)}
                </span>
              </span>
              <span className="line-clamp-2 [overflow-wrap:anywhere]">{hit.snippet}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
