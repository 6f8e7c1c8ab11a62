'use client'

import { CircleAlert, CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import { replyOf } from '@/lib/state/model-list'
import { Button } from '../ui/button'
import { Field, Select, TextInput } from '../ui/field'
import { plainName } from '../ui/name'
import { ModelFacts } from './model-facts'
import { aboutModel, useServerProblem } from './model-menu'

export function ModelSettings() {
  return (
    <div className="flex flex-col gap-4 pb-1">
      <ServerLine />
      <KeyField />
      <DefaultModel />
      <ModelFacts />
    </div>
  )
}

function ServerLine() {
  const server = useApp((state) => state.server)
  const { refreshServer } = useActions()
  const problem = useServerProblem()
  return (
    <div className="flex items-start gap-2.5 rounded-lg border p-3">
      {problem ? (
        <CircleAlert size={15} className="mt-0.5 shrink-0 text-call-ink" />
      ) : (
        <CircleCheck size={15} className="mt-0.5 shrink-0 text-assistant-ink" />
      )}
      <p className="m-0 min-w-0 flex-1" role="status">
        {problem ??
          `Ready. Requests go to ${server?.upstream ?? 'the provider'} through this server.`}
        {!problem && server?.listProblem ? (
          <span className="block text-ink2 [overflow-wrap:anywhere]">
            It did not list its models: {server.listProblem} Name one under “Another model…” in the
            model menu.
          </span>
        ) : null}
      </p>
      <Button size="sm" onClick={() => void refreshServer()}>
        Check again
      </Button>
    </div>
  )
}

const KEPT = {
  none: 'Sent to this server with each request, over the same connection; never stored with your sessions. A key in the server’s environment needs nothing here.',
  tab: 'A key is in use until this tab is closed.',
  browser: 'A key is remembered in this browser until you wipe it.',
}

function KeyField() {
  const { setKey } = useActions()
  const place = useApp((state) => state.typedKey)
  const [value, setValue] = useState('')
  const [remember, setRemember] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (!value.trim()) return
        setKey(value.trim(), remember)
        setValue('')
      }}
    >
      <Field label="API key" about={KEPT[place]}>
        {(control) => (
          <div className="flex gap-1.5">
            <TextInput
              {...control}
              type="password"
              name="palimpsest-key"
              autoComplete="off"
              placeholder="sk-…"
              value={value}
              onChange={(event) => setValue(event.target.value)}
            />
            <Button type="submit" disabled={!value.trim()}>
              Use key
            </Button>
            <Button disabled={place === 'none'} onClick={() => setKey(null)}>
              Wipe key
            </Button>
          </div>
        )}
      </Field>
      <label className="mt-1.5 flex items-center gap-2">
        <input
          type="checkbox"
          checked={remember}
          onChange={(event) => setRemember(event.target.checked)}
        />
        Remember it in this browser, beyond this tab
      </label>
    </form>
  )
}

function DefaultModel() {
  const model = useApp((state) => state.settings.model)
  const models = useApp((state) => state.models)
  const { updateSettings } = useActions()
  const value = `${model.provider}/${model.id}`
  const current = models.find((m) => `${m.provider}/${m.id}` === value)
  return (
    <Field
      label="Model for new sessions"
      about={current ? aboutModel(current) : 'Not offered right now.'}
    >
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => {
            const next = models.find((m) => `${m.provider}/${m.id}` === event.target.value)
            if (next)
              void updateSettings({
                // Its limits as they are now, for the time when nothing lists them.
                model: {
                  provider: next.provider,
                  id: next.id,
                  contextWindow: next.contextWindow,
                  maxTokens: replyOf(next),
                },
              })
          }}
        >
          {current ? null : <option value={value}>{model.id}</option>}
          {models.map((m) => (
            <option key={`${m.provider}/${m.id}`} value={`${m.provider}/${m.id}`}>
              {plainName(m.label)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
