'use client'

import { useState } from 'react'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import { type Plan, planRegion, planWhole } from '../review/plan'
import { startReview, useReview } from '../review/review-store'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field, Select, TextArea } from '../ui/field'
import { count, exact } from '../ui/format'
import { plainName } from '../ui/name'
import { SectionTitle } from '../ui/panel'
import { MeterBar, meterWords, useShownReading } from './meter'
import { PolicyForm } from './policy-form'
import { showDialog, useScreen } from './screen'

/** Asks for a compaction now, of the older part or of a region, and says how automatic ones go. */
export function CompactDialog() {
  const open = useScreen((state) => state.dialog === 'compact')
  return open ? <Sheet /> : null
}

const close = () => {
  useReview.setState({ asked: null })
  showDialog(null)
}

/** What would be taken as things stand; null where the region's ends are gone. */
function usePlan(): Plan | null {
  const asked = useReview((state) => state.asked)
  const log = useSession((state) => state.log)
  const version = useSession((state) => state.version)
  const policy = useSession((state) => state.chosen.policy)
  const reading = useShownReading()
  return asked ? planRegion(log, version, asked, policy) : planWhole(log, reading, policy)
}

function Sheet() {
  const actions = useActions()
  const reading = useShownReading()
  const session = useSession((state) => state.id)
  const chosen = useSession((state) => state.chosen)
  const busy = useSession((state) => !['idle', 'failed'].includes(state.live.phase))
  const isRegion = useReview((state) => state.asked !== null)
  const plan = usePlan()
  const [focus, setFocus] = useState('')
  const [model, setModel] = useState('')
  const first = plan?.runs[0]
  const compactNow = async () => {
    close()
    const told = focus.trim() || undefined
    if (!isRegion) return actions.compact(told)
    await actions.compactRegions(plan?.runs ?? [], told)
  }
  const review = () => {
    if (!plan || !first) return
    useReview.setState({ asked: null })
    void startReview(actions, {
      session,
      plan,
      isWhole: !isRegion,
      focus: focus.trim(),
      model: model || undefined,
    })
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && close()}
      title={
        isRegion && first
          ? `Compact #${first.start}–#${plan?.runs.at(-1)?.end}`
          : 'Compact this session'
      }
      about="The older part is replaced by a summary in what the model sees. Nothing is deleted, and you can restore it."
      footer={
        <>
          <span className="min-w-0 flex-1 text-ink2">
            {busy ? 'Begins when the current step has ended.' : null}
          </span>
          <Button onClick={close}>Cancel</Button>
          <Button
            title="Without review"
            disabled={!first && (isRegion || !busy)}
            onClick={() => void compactNow()}
          >
            Compact now
          </Button>
          <Button tone="primary" disabled={!first} onClick={review}>
            Draft and review
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        <div>
          <MeterBar reading={reading} />
          <p className="mono m-0 mt-1.5 text-ink2">{meterWords(reading)}</p>
          <PlanWords plan={plan} />
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
                if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) review()
              }}
            />
          )}
        </Field>
        <ModelField value={model} onChange={setModel} />
        {isRegion ? null : (
          <section>
            <SectionTitle>How this session compacts by itself</SectionTitle>
            <PolicyForm
              policy={chosen.policy}
              window={chosen.contextWindow}
              maxTokens={chosen.params.max_tokens}
              onChange={actions.setPolicy}
            />
          </section>
        )}
      </div>
    </Dialog>
  )
}

function PlanWords({ plan }: { plan: Plan | null }) {
  if (!plan || plan.runs.length === 0)
    return (
      <p className="m-0 mt-1 text-ink2">
        {plan?.refusal ?? 'One end of the region is not on the surface any more.'}
      </p>
    )
  const { runs, rows } = plan
  const nodes = runs.reduce((sum, run) => sum + run.seqs.length, 0)
  const tokens = runs.reduce((sum, run) => sum + run.tokens, 0)
  const pinned = rows.filter((row) => row.kept === 'pinned').length
  return (
    <p className="m-0 mt-1 text-ink2" data-testid="plan">
      Takes {count(nodes, 'node')} from #{runs[0]!.start} to #{runs.at(-1)!.end}, about{' '}
      {exact(tokens)} tokens
      {pinned > 0 ? `; ${count(pinned, 'pinned node')} between them stay` : ''}
      {runs.length > 1 ? `. ${runs.length} summaries, since what stays parts them` : ''}.
    </p>
  )
}

/** Who writes the draft: the session's summariser, or another model of the same provider. */
function ModelField({ value, onChange }: { value: string; onChange(model: string): void }) {
  const chosen = useSession((state) => state.chosen)
  const models = useApp((state) => state.models)
  const template = useApp((state) => state.settings.summaries === 'template')
  const others = models.filter((model) => model.provider === chosen.provider)
  if (template || others.length < 2) return null
  const own = chosen.policy.summaryModel ?? chosen.model
  return (
    <Field label="Written by" about="For drafts. Compact now uses the session’s own.">
      {(control) => (
        <Select {...control} value={value} onChange={(event) => onChange(event.target.value)}>
          <option value="">{plainName(own)} (the session’s own)</option>
          {others
            .filter((model) => model.id !== own)
            .map((model) => (
              <option key={model.id} value={model.id}>
                {plainName(model.label)}
              </option>
            ))}
        </Select>
      )}
    </Field>
  )
}
