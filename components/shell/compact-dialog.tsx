'use client'

import { useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field, TextArea } from '../ui/field'
import { SectionTitle } from '../ui/panel'
import { MeterBar, meterWords, useShownReading } from './meter'
import { PolicyForm } from './policy-form'
import { showDialog, useScreen } from './screen'

/** Asks for a compaction now, and says how automatic ones go. */
export function CompactDialog() {
  const open = useScreen((state) => state.dialog === 'compact')
  return open ? <Sheet /> : null
}

function Sheet() {
  const actions = useActions()
  const reading = useShownReading()
  const chosen = useSession((state) => state.chosen)
  const busy = useSession((state) => !['idle', 'failed'].includes(state.live.phase))
  const [focus, setFocus] = useState('')
  const start = () => {
    showDialog(null)
    void actions.compact(focus.trim() || undefined)
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && showDialog(null)}
      title="Compact this session"
      about="The older part is replaced by a summary in what the model sees. Nothing is deleted, and you can restore it."
      footer={
        <>
          <span className="text-ink2">
            {busy ? 'Begins when the current step has ended.' : null}
          </span>
          <Button className="ml-auto" onClick={() => showDialog(null)}>
            Cancel
          </Button>
          <Button tone="primary" onClick={start}>
            Compact now
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <div>
          <MeterBar reading={reading} />
          <p className="mono m-0 mt-1.5 text-ink2">{meterWords(reading)}</p>
        </div>
        <Field
          label="Focus"
          about="Optional. Told to whoever writes the summary; never becomes part of the conversation."
        >
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              autoFocus
              placeholder="Keep every decision about the parser"
              value={focus}
              onChange={(event) => setFocus(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) start()
              }}
            />
          )}
        </Field>
        <section>
          <SectionTitle>How this session compacts by itself</SectionTitle>
          <PolicyForm
            policy={chosen.policy}
            window={chosen.contextWindow}
            maxTokens={chosen.params.max_tokens}
            onChange={actions.setPolicy}
          />
        </section>
      </div>
    </Dialog>
  )
}
