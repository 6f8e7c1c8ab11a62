'use client'

import { GitFork, MoreHorizontal, PencilLine, RefreshCw, TextSelect } from 'lucide-react'
import type { Seq } from '@/lib/core/event'
import { useActions, useSession } from '@/lib/state/hooks'
import { IconButton } from '../ui/button'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { beginRegion, chooseRegion, useRegion } from './region-store'

/** What can be done from one message on: a region, a fork. */
export function RowMenu({ seq, kind }: { seq: Seq; kind: string }) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton size="sm" label={`More for #${seq}`}>
          <MoreHorizontal size={13} />
        </IconButton>
      }
    >
      <RegionItems seq={seq} />
      <ForkItems seq={seq} kind={kind} />
    </Menu>
  )
}

function RegionItems({ seq }: { seq: Seq }) {
  const session = useSession((state) => state.id)
  const region = useRegion((state) => state.region)
  const isSeen = useSession(
    ({ log, version }) => log.history.replacementOf(seq, version - 1) === null,
  )
  const isOpen = region?.session === session
  return (
    <>
      <MenuItem
        icon={<TextSelect size={13} />}
        disabled={!isSeen}
        onSelect={() => beginRegion(session, seq)}
      >
        Select from here …
      </MenuItem>
      <MenuItem
        icon={<TextSelect size={13} />}
        disabled={!isSeen || !isOpen}
        onSelect={() => chooseRegion(session, seq, seq)}
      >
        … to here
      </MenuItem>
    </>
  )
}

function ForkItems({ seq, kind }: { seq: Seq; kind: string }) {
  const actions = useActions()
  const end = useSession(
    ({ timeline }) =>
      timeline.turns.findLast((turn) => turn.start <= seq && (turn.end ?? -1) >= seq)?.end ?? null,
  )
  return (
    <>
      <MenuSeparator />
      <MenuItem
        icon={<GitFork size={13} />}
        disabled={end === null}
        onSelect={() => end !== null && void actions.fork(end)}
      >
        Fork after this turn
      </MenuItem>
      {kind === 'user' ? (
        <MenuItem
          icon={<PencilLine size={13} />}
          about="A new session up to here, with this message to change."
          onSelect={() => void actions.editInFork(seq)}
        >
          Edit in a fork
        </MenuItem>
      ) : null}
      {kind === 'assistant' ? (
        <MenuItem
          icon={<RefreshCw size={13} />}
          about="A new session up to this turn, asked the same again."
          onSelect={() => void actions.regenerateInFork(seq)}
        >
          Regenerate in a fork
        </MenuItem>
      ) : null}
    </>
  )
}
