'use client'

import { useState } from 'react'
import type { Params } from '@/lib/core/event'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field, Select, TextArea, TextInput } from '../ui/field'
import { exact } from '../ui/format'
import { tokens } from './custom-model-dialog'
import { sourceWords } from './model-facts-form'
import { formOf, problemsOf, type RequestForm, requestOf } from './request-form'
import { showDialog, useScreen } from './screen'

/** What every request of this session carries beside the conversation. */
export function SessionSettingsDialog() {
  const open = useScreen((state) => state.dialog === 'session-settings')
  return open ? <Sheet /> : null
}

function Sheet() {
  const { setRequest } = useActions()
  const chosen = useSession((state) => state.chosen)
  const [form, setForm] = useState<RequestForm>(() => formOf(chosen))
  const change = (part: Partial<RequestForm>) => setForm((before) => ({ ...before, ...part }))
  const problems = problemsOf(form, tokens)
  const isValid = Object.values(problems).every((problem) => !problem)
  const save = () => {
    if (!isValid) return
    setRequest(requestOf(form, tokens))
    showDialog(null)
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && showDialog(null)}
      title="Requests of this session"
      about="Used from the next turn on. What was sent before stays as it was."
      footer={
        <>
          <Button className="ml-auto" onClick={() => showDialog(null)}>
            Cancel
          </Button>
          <Button tone="primary" disabled={!isValid} onClick={save}>
            Use these
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save()
        }}
      >
        <Field label="System prompt">
          {(control) => (
            <TextArea
              {...control}
              rows={6}
              className="mono"
              value={form.system}
              onChange={(event) => change({ system: event.target.value })}
            />
          )}
        </Field>
        <div className="grid gap-3 wide:grid-cols-2">
          <Limits form={form} change={change} problems={problems} />
          <Sampling form={form} change={change} problems={problems} />
        </div>
        <input type="submit" hidden />
      </form>
    </Dialog>
  )
}

type Part = {
  form: RequestForm
  change(part: Partial<RequestForm>): void
  problems: ReturnType<typeof problemsOf>
}

function Limits({ form, change, problems }: Part) {
  const model = useSession((state) => state.chosen.model)
  const known = useApp((state) => state.models.find((one) => one.id === model))
  return (
    <>
      <Field
        label="Context window, tokens"
        about={
          known?.contextWindow
            ? `${exact(known.contextWindow)} ${sourceWords(known.sources?.contextWindow)}.`
            : 'Empty: unknown.'
        }
        problem={problems.contextWindow}
      >
        {(control) => (
          <TextInput
            {...control}
            inputMode="numeric"
            value={form.contextWindow}
            onChange={(event) => change({ contextWindow: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Longest reply, tokens"
        about={known?.maxTokens ? `At most ${exact(known.maxTokens)}.` : 'Kept free in the window.'}
        problem={problems.maxTokens}
      >
        {(control) => (
          <TextInput
            {...control}
            inputMode="numeric"
            value={form.maxTokens}
            onChange={(event) => change({ maxTokens: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

function Sampling({ form, change, problems }: Part) {
  const model = useSession((state) => state.chosen.model)
  const ways = useApp((state) => state.models.find((one) => one.id === model)?.thinking)
  const may = (way: 'adaptive' | 'enabled') => !ways || ways.includes(way)
  return (
    <>
      <Field label="Thinking">
        {(control) => (
          <Select
            {...control}
            value={form.thinking}
            onChange={(event) =>
              change({ thinking: event.target.value as RequestForm['thinking'] })
            }
          >
            <option value="default">as the model does by itself</option>
            <option value="disabled">off</option>
            {may('adaptive') ? <option value="adaptive">as much as it wants</option> : null}
            {may('enabled') ? <option value="enabled">up to a budget</option> : null}
          </Select>
        )}
      </Field>
      {form.thinking === 'enabled' ? (
        <Field label="Thinking budget, tokens" problem={problems.budget}>
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={form.budget}
              onChange={(event) => change({ budget: event.target.value })}
            />
          )}
        </Field>
      ) : null}
      <Field label="Effort">
        {(control) => (
          <Select
            {...control}
            value={form.effort}
            onChange={(event) => change({ effort: event.target.value as RequestForm['effort'] })}
          >
            <option value="">as the model does by itself</option>
            {(['low', 'medium', 'high', 'max'] satisfies Params['effort'][]).map((effort) => (
              <option key={effort}>{effort}</option>
            ))}
          </Select>
        )}
      </Field>
      <Field
        label="Temperature"
        about="0 to 1. Empty: the model’s own. Not with thinking."
        problem={problems.temperature}
      >
        {(control) => (
          <TextInput
            {...control}
            inputMode="decimal"
            value={form.temperature}
            onChange={(event) => change({ temperature: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
