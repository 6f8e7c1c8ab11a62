'use client'

import { useEffect, useEffectEvent } from 'react'
import { useScreen } from '../shell/screen'
import { Button } from '../ui/button'
import { useNarrow } from '../ui/use-media'
import { RegionActions } from './region-actions'
import { dropRegion, useRegion } from './region-store'
import { type Chosen, useChosenRegion, useRegionSeqs } from './use-region'

/** The region being chosen in chat or in the list of nodes; Escape lets go of it. */
export function RegionBar() {
  const chosen = useChosenRegion()
  const narrow = useNarrow()
  const seqs = useRegionSeqs()
  const rows = [...seqs].join()
  useEffect(() => {
    useRegion.setState({ seqs: new Set(rows === '' ? [] : rows.split(',').map(Number)) })
  }, [rows])
  const isChoosing = chosen !== null
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || useScreen.getState().dialog) return
    if (!isChoosing) return
    event.preventDefault()
    dropRegion()
  })
  useEffect(() => {
    // Before the chat's own Escape, which stops the model.
    document.addEventListener('keydown', onKey, { capture: true })
    return () => document.removeEventListener('keydown', onKey, { capture: true })
  }, [])
  return chosen && (narrow || chosen.at === 'chat') ? <Bar chosen={chosen} /> : null
}

/** The same over the list of nodes. */
export function RegionHere() {
  const chosen = useChosenRegion()
  const narrow = useNarrow()
  if (!chosen || (chosen.at !== 'surface' && !narrow)) return null
  return (
    <div className="px-2">
      <Bar chosen={chosen} />
    </div>
  )
}

function Bar({ chosen }: { chosen: Chosen }) {
  return (
    <section
      aria-label="Chosen region"
      data-start={chosen.plan?.rows[0]?.seq}
      data-end={chosen.plan?.rows.at(-1)?.seq}
      className="mb-2 rounded-lg border border-accent bg-raised p-1.5"
    >
      {chosen.plan ? (
        <RegionActions plan={chosen.plan} onClose={dropRegion} />
      ) : (
        <div className="flex items-center gap-2 pl-1">
          <p role="status" className="m-0 min-w-0 flex-1 text-ink2">
            {chosen.other === null
              ? `A region begins at #${chosen.one}. Choose “… to here” where it ends.`
              : 'The model does not see one end of the region any more.'}
          </p>
          <Button size="sm" onClick={dropRegion}>
            Cancel
          </Button>
        </div>
      )}
    </section>
  )
}
