'use client'

import { useState } from 'react'
import { useActions, useApp, useIsLive, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { exact } from '../ui/format'

type Count = { state: 'asking' } | { tokens: number; version: number } | { problem: string }

/** The provider's own count of the next request, asked for on demand and shown beside the estimate. */
export function TokenCount({ estimate }: { estimate: number }) {
  const { countTokens } = useActions()
  const [count, setCount] = useState<Count | null>(null)
  const isRemote = useSession((state) => state.chosen.provider !== 'offline')
  const version = useSession((state) => state.version)
  const isReady = useApp((state) => state.server?.keyConfigured === true)
  const live = useIsLive()
  if (!isRemote || !isReady || !live || version === 0) return null
  const ask = async () => {
    setCount({ state: 'asking' })
    const answer = await countTokens()
    setCount(answer && ('tokens' in answer ? { tokens: answer.tokens, version } : answer))
  }
  return (
    <p className="m-0 flex items-center gap-2">
      <Button size="sm" disabled={count !== null && 'state' in count} onClick={() => void ask()}>
        Count with the provider
      </Button>
      <span role="status" className="min-w-0 flex-1">
        {count === null ? null : <CountWords count={count} now={{ estimate, version }} />}
      </span>
    </p>
  )
}

function CountWords({ count, now }: { count: Count; now: { estimate: number; version: number } }) {
  if ('problem' in count) return count.problem
  if ('state' in count) return 'Counting…'
  if (count.version !== now.version) return `It counted ${exact(count.tokens)} a while ago.`
  const apart = count.tokens - now.estimate
  const sign = apart > 0 ? '+' : apart < 0 ? '−' : '±'
  return `It counts ${exact(count.tokens)} (${sign}${exact(Math.abs(apart))}).`
}
