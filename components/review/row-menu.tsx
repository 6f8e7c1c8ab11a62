'use client'

import {
  Copy,
  GitFork,
  MoreHorizontal,
  PencilLine,
  Pin,
  PinOff,
  RefreshCw,
  TextSelect,
} from 'lucide-react'
import type { Seq } from '@/lib/core/event'
import { useActions, useSession } from '@/lib/state/hooks'
import { IconButton } from '../ui/button'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { beginRegion, chooseRegion, useRegion } from './region-store'

/** What can be done with one message and from it on: keep, copy, a region, a fork. `text`: what copying gives. */
export function RowMenu({
  seq,
  kind,
  text,
}: {
  seq: Seq
  kind: string
  text: (() => string) | null
}) {
  return (
    <Menu
      align="end"
      trigger={
        <IconButton size="sm" label={`More for #${seq}`} className="touch:size-8">
          <MoreHorizontal size={13} />
        </IconButton>
      }
    >
      <KeepItems seq={seq} text={text} />
      <RegionItems seq={seq} />
      <ForkItems seq={seq} kind={kind} />
    </Menu>
  )
}

/** A finger has no hover, so what stands beside the menu for a mouse stands in it too. */
function KeepItems({ seq, text }: { seq: Seq; text: (() => string) | null }) {
  const { setPins } = useActions()
  const pinned = useSession(({ log }) => log.state.pins.has(seq))
  const writer = useSession(({ role }) => role === 'writer')
  const copy = () => {
    if (text) void navigator.clipboard.writeText(text()).catch(() => {})
  }
  return (
    <>
      <MenuItem
        icon={pinned ? <PinOff size={13} /> : <Pin size={13} />}
        disabled={!writer}
        onSelect={() => void setPins([seq], !pinned)}
      >
        {pinned ? 'Unpin' : 'Pin: never compact this'}
      </MenuItem>
      <MenuItem icon={<Copy size={13} />} disabled={text === null} onSelect={copy}>
        Copy the text
      </MenuItem>
      <MenuSeparator />
    </>
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
