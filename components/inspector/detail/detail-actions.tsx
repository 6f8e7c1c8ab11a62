'use client'

import { GitCompareArrows, ListOrdered, MessageSquare, Pin } from 'lucide-react'
import { RestoreButton } from '@/components/review/restore-button'
import { UndoRestore } from '@/components/review/undo-restore'
import { useScreen } from '@/components/shell/screen'
import { Button } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import type { EventHead, SessionEvent } from '@/lib/core/event'
import type { Links } from '@/lib/core/projections/links'
import { positionOf } from '@/lib/core/surface'
import { useActions, useMoment, useSession } from '@/lib/state/hooks'
import { plainText } from '../shared/words'

type Props = { head: EventHead; links: Links; event: SessionEvent | undefined }

/** What can be done with the selected event. */
export function DetailActions({ head, links, event }: Props) {
  const actions = useActions()
  const isNode = head.op !== undefined && head.type !== 'surface/restore'
  return (
    <div className="flex flex-wrap gap-1.5">
      {links.shadows.length > 0 ? <Restore head={head} /> : null}
      {isNode ? <PinButton head={head} /> : null}
      {links.shadows.length > 0 ? <CompareButton head={head} links={links} /> : null}
      <Button
        size="sm"
        onClick={() => {
          actions.select(head.seq)
          actions.setPanel('log')
        }}
      >
        <ListOrdered size={12} />
        Show in log
      </Button>
      {isNode ? (
        <Button
          size="sm"
          className="wide:hidden"
          onClick={() => useScreen.setState({ pane: 'chat' })}
        >
          <MessageSquare size={12} />
          Show in chat
        </Button>
      ) : null}
      {event ? <CopyButton label="Copy the text" text={() => plainText(event)} /> : null}
    </div>
  )
}

/** Whether the node stands on the surface now, whatever the playhead shows. */
function useOnSurface(head: EventHead): boolean {
  const log = useSession((state) => state.log)
  const newest = useSession((state) => state.version - 1)
  const { history } = log
  if (history.replacementOf(head.seq, newest) !== null) return false
  return history.shadowsOf(head.seq).length === 0 || history.shadowedBy(head.seq, newest).length > 0
}

/** Where it is beneath something else, all layers over it come off with it. */
function Restore({ head }: { head: EventHead }) {
  const restored = useSession(
    ({ log, version }) =>
      version > 0 &&
      log.history.replacementOf(head.seq, version - 1) === null &&
      positionOf(log.history.surfaceAt(version - 1), head.seq) < 0,
  )
  return restored ? <UndoRestore replacementSeq={head.seq} /> : <RestoreButton seq={head.seq} />
}

function PinButton({ head }: { head: EventHead }) {
  const { setPins } = useActions()
  const writer = useSession((state) => state.role === 'writer')
  const shielded = useSession(
    (state) =>
      state.version > 0 &&
      (state.log.state.pins.has(head.seq) || state.log.state.restored.has(head.seq)),
  )
  const there = useOnSurface(head)
  return (
    <Button
      size="sm"
      aria-pressed={shielded}
      disabled={!writer || !there}
      title={there ? 'A pinned node is never compacted' : 'Only nodes on the surface can be pinned'}
      onClick={() => void setPins([head.seq], !shielded)}
    >
      <Pin size={12} className={shielded ? 'fill-current' : undefined} />
      {shielded ? 'Unpin' : 'Pin'}
    </Button>
  )
}

function CompareButton({ head, links }: { head: EventHead; links: Links }) {
  const { setCompare, setPanel, setPlayhead } = useActions()
  const newest = useSession((state) => state.version - 1)
  const moment = useMoment()
  const before = (links.bracket?.start ?? links.prune ?? head.seq) - 1
  const after = links.bracket?.end ?? head.seq
  if (before < 0) return null
  return (
    <Button
      size="sm"
      onClick={() => {
        setCompare(before)
        if (moment < after) setPlayhead(after === newest ? null : after)
        else setPlayhead(after)
        setPanel('compare')
      }}
    >
      <GitCompareArrows size={12} />
      Compare
    </Button>
  )
}
