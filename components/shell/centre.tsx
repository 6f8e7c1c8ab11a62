'use client'

import { useHasSession, useSession } from '@/lib/state/hooks'
import { Chat } from '../chat/chat'
import { FirstScreen } from '../sessions/first-screen'
import { DamagedSession, MissingSession } from './missing-session'

/** The chat, or what stands in its place. */
export function Centre() {
  const open = useHasSession()
  return (
    <section aria-label={open ? 'Chat' : 'Start'} className="h-full min-h-0 min-w-0">
      {open ? <SessionCentre /> : <FirstScreen />}
    </section>
  )
}

function SessionCentre() {
  const status = useSession((state) => state.status)
  const problem = useSession((state) => state.problem)
  const id = useSession((state) => state.id)
  const empty = useSession((state) => state.version === 0)
  if (status === 'missing') return <MissingSession />
  if (status === 'damaged' && empty) return <DamagedSession problem={problem} />
  return <Chat key={id} />
}
