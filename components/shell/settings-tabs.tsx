'use client'

import type { FactKind } from '@/lib/core/facts'
import { useActions, useApp } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Field, TextArea, TextInput } from '../ui/field'
import { Segmented } from '../ui/tabs'
import { PolicyForm } from './policy-form'

export function GeneralSettings() {
  const settings = useApp((state) => state.settings)
  const { updateSettings } = useActions()
  return (
    <div className="flex flex-col gap-4 pb-1">
      <div>
        <p className="m-0 mb-1 font-[520]">Theme</p>
        <Segmented
          label="Theme"
          value={settings.theme}
          options={[
            { value: 'system', label: 'As the system' },
            { value: 'light', label: 'Light' },
            { value: 'dark', label: 'Dark' },
          ]}
          onChange={(theme) => void updateSettings({ theme })}
        />
      </div>
      <Field
        label="Steps a turn may take"
        about="A turn that reaches this stops and says so; you can tell it to go on."
      >
        {(control) => (
          <TextInput
            {...control}
            type="number"
            min={1}
            max={1000}
            className="max-w-32"
            defaultValue={settings.maxSteps}
            onBlur={(event) => {
              const maxSteps = Number(event.target.value)
              if (Number.isInteger(maxSteps) && maxSteps > 0 && maxSteps <= 1000)
                void updateSettings({ maxSteps })
            }}
          />
        )}
      </Field>
      <Field label="System prompt" about="For new sessions. Running sessions keep theirs.">
        {(control) => (
          <TextArea
            {...control}
            rows={7}
            className="mono"
            defaultValue={settings.system}
            onBlur={(event) => void updateSettings({ system: event.target.value })}
          />
        )}
      </Field>
      <Access />
    </div>
  )
}

/** The way out of a server with an access token; nothing where there is none. */
function Access() {
  const isGuarded = useApp((state) => state.server?.guarded)
  const { signOut } = useActions()
  if (!isGuarded) return null
  return (
    <section aria-label="Access" className="flex items-start gap-3 border-t pt-4">
      <div className="min-w-0 flex-1">
        <p className="m-0 font-[520]">Access</p>
        <p className="m-0 text-sm text-ink2">
          This browser has shown the server’s access token. Signing out has it asked for again, and
          wipes an API key you typed. Your sessions stay in this browser: where it is not yours,
          clear this site’s data as well.
        </p>
      </div>
      <Button onClick={() => void signOut()}>Sign out</Button>
    </section>
  )
}

export function CompactionSettings() {
  const settings = useApp((state) => state.settings)
  const models = useApp((state) => state.models)
  const { updateSettings } = useActions()
  const { model } = settings
  const known = models.find(({ provider, id }) => provider === model.provider && id === model.id)
  return (
    <div className="flex flex-col gap-4 pb-1">
      <p className="m-0 text-ink2">
        For new sessions. A session’s own are under its Compact… button.
      </p>
      <PolicyForm
        policy={settings.policy}
        window={model.contextWindow ?? known?.contextWindow}
        maxTokens={model.maxTokens ?? Math.min(known?.maxTokens ?? 8192, 8192)}
        onChange={(policy) => void updateSettings({ policy })}
      />
      <KeepFacts />
      <div>
        <p className="m-0 mb-1 font-[520]">Who writes summaries</p>
        <Segmented
          label="Who writes summaries"
          value={settings.summaries}
          options={[
            { value: 'model', label: 'The model' },
            { value: 'template', label: 'The template' },
          ]}
          onChange={(summaries) => void updateSettings({ summaries })}
        />
        <p className="m-0 mt-1 text-sm text-ink2">
          The template needs no model: it picks literals and sentences from the text and names
          itself as such. The offline reader always uses it.
        </p>
      </div>
    </div>
  )
}

/** Kinds of facts in the order of their worth, as people call them. */
const FACTS: [FactKind, string][] = [
  ['instruction', 'Your instructions'],
  ['error', 'Errors'],
  ['path', 'Paths'],
  ['url', 'Links'],
  ['identifier', 'Identifiers'],
  ['version', 'Versions'],
  ['number', 'Numbers with units'],
  ['flag', 'Flags'],
  ['hash', 'Hashes'],
]

function KeepFacts() {
  const kept = useApp((state) => state.settings.keepFacts)
  const { updateSettings } = useActions()
  return (
    <fieldset className="m-0 border-0 p-0">
      <legend className="mb-1 p-0 font-[520]">What must survive a summary, word for word</legend>
      <div className="grid grid-cols-2 gap-x-4 gap-y-1 sm:grid-cols-3">
        {FACTS.map(([kind, label]) => (
          <label key={kind} className="flex items-center gap-2">
            <input
              type="checkbox"
              className="accent-(--accent)"
              checked={kept.includes(kind)}
              onChange={({ target }) =>
                void updateSettings({
                  keepFacts: target.checked
                    ? [...kept, kind]
                    : kept.filter((other) => other !== kind),
                })
              }
            />
            {label}
          </label>
        ))}
      </div>
      <p className="m-0 mt-1 text-sm text-ink2">
        What the summary lost of these is written below it by the program, up to 1,000 tokens.
      </p>
    </fieldset>
  )
}
