'use client'

import { ChevronLeft, ChevronRight, Clock, Pause, Play, SkipBack, SkipForward } from 'lucide-react'
import { Button, IconButton } from '@/components/ui/button'
import { cx } from '@/components/ui/cx'
import { useSession } from '@/lib/state/hooks'
import type { AxisKind } from './axis'
import type { usePlay } from './use-play'
import type { Playhead } from './use-playhead'
import { compactionWords, turnWords, whereIs } from './where'

type Props = {
  playhead: Playhead
  play: ReturnType<typeof usePlay>
  axis: AxisKind
  onAxis(axis: AxisKind): void
  /** The playhead was taken to a compaction. */
  onJump(): void
}

/** Buttons that move the playhead, and where it is in words. */
export function Controls({ playhead, play, axis, onAxis, onJump }: Props) {
  const empty = playhead.events === 0
  const moved = (move: () => void) => () => {
    play.stop()
    move()
  }
  const jumped = (forward: boolean) =>
    moved(() => {
      playhead.jump(forward)
      onJump()
    })
  return (
    <div className="flex items-center gap-x-3 gap-y-2 @3xl:flex-col @3xl:items-start">
      <div className="flex items-center gap-1">
        <IconButton
          tone="plain"
          label="Previous compaction"
          keys="["
          disabled={empty}
          onClick={jumped(false)}
        >
          <SkipBack size={13} />
        </IconButton>
        <IconButton
          tone="plain"
          label="One event back"
          keys="←"
          disabled={empty || playhead.moment <= 0}
          onClick={moved(() => playhead.stepBy(-1))}
        >
          <ChevronLeft size={15} />
        </IconButton>
        <IconButton
          tone="plain"
          label={play.playing ? 'Pause' : 'Play'}
          keys="space"
          disabled={empty}
          aria-pressed={play.playing}
          onClick={play.toggle}
        >
          {play.playing ? <Pause size={13} /> : <Play size={13} />}
        </IconButton>
        <IconButton
          tone="plain"
          label="One event forward"
          keys="→"
          disabled={empty || playhead.live}
          onClick={moved(() => playhead.stepBy(1))}
        >
          <ChevronRight size={15} />
        </IconButton>
        <IconButton
          tone="plain"
          label="Next compaction"
          keys="]"
          disabled={empty || playhead.live}
          onClick={jumped(true)}
        >
          <SkipForward size={13} />
        </IconButton>
        <IconButton
          tone="plain"
          label={axis === 'clock' ? 'By event' : 'By wall clock, long pauses folded'}
          disabled={empty}
          aria-pressed={axis === 'clock'}
          onClick={() => onAxis(axis === 'clock' ? 'events' : 'clock')}
        >
          <Clock size={13} />
        </IconButton>
        <Live playhead={playhead} onClick={moved(playhead.goLive)} />
      </div>
      <Position playhead={playhead} />
    </div>
  )
}

function Live({ playhead, onClick }: { playhead: Playhead; onClick(): void }) {
  return (
    <Button
      aria-pressed={playhead.live}
      title={playhead.live ? 'Following the newest event' : 'Back to the newest event (L)'}
      onClick={onClick}
      className={cx(
        'ml-1 tracking-wide',
        playhead.live ? 'text-accent-ink' : 'border-accent! bg-accent-soft! text-accent-ink',
      )}
    >
      <span
        aria-hidden="true"
        className={cx(
          'size-1.5 rounded-full',
          playhead.live ? 'bg-accent' : 'border border-accent bg-transparent',
        )}
      />
      LIVE
    </Button>
  )
}

function Position({ playhead }: { playhead: Playhead }) {
  const timeline = useSession((state) => state.timeline)
  const log = useSession((state) => state.log)
  const where = whereIs(timeline, log.heads, playhead.moment)
  return (
    <p
      data-testid="position"
      className="mono m-0 min-w-0 truncate text-ink2 @max-3xl:ml-auto @3xl:leading-[1.65]"
    >
      <span className="@3xl:block">
        {playhead.events === 0 ? (
          'no events'
        ) : (
          <>
            <span className="@max-lg:sr-only">seq </span>
            {playhead.moment} / {playhead.events - 1}
          </>
        )}
      </span>
      <span className="hidden @lg:inline @3xl:hidden"> · </span>
      <span className="hidden @lg:inline @3xl:block">{turnWords(where)}</span>
      <span className="hidden @lg:inline @3xl:hidden"> · </span>
      <span className="hidden @lg:inline @3xl:block">{compactionWords(where)}</span>
    </p>
  )
}
