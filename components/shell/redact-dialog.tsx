'use client'

import { useState } from 'react'
import { useActions } from '@/lib/state/hooks'
import type { ExportFormat, FoundSecret, SecretRules } from '@/lib/state/model'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field, Select, TextArea } from '../ui/field'
import { showDialog, useScreen } from './screen'
import { SecretList } from './secret-list'

const KINDS: { kind: SecretRules['kinds'][number]; label: string }[] = [
  { kind: 'keys', label: 'API keys' },
  { kind: 'tokens', label: 'Tokens and passwords' },
  { kind: 'private-keys', label: 'Private keys' },
  { kind: 'emails', label: 'Email addresses' },
]

/** Formats that are written anew from the log. */
const FORMATS: { format: ExportFormat; label: string }[] = [
  { format: 'native', label: 'Log (JSONL)' },
  { format: 'html', label: 'Web page (HTML)' },
  { format: 'markdown', label: 'Markdown' },
  { format: 'text', label: 'Plain text' },
  { format: 'view', label: 'As the model saw it (Markdown)' },
  { format: 'openai', label: 'OpenAI messages' },
  { format: 'dsh', label: 'DeepSeek Harness log' },
]

/** An export without secrets: what to look for, what was found, what to take out. */
export function RedactDialog() {
  const open = useScreen((state) => state.dialog === 'redact')
  return open ? <Sheet /> : null
}

function Rules({ rules, onChange }: { rules: SecretRules; onChange(rules: SecretRules): void }) {
  const [text, setText] = useState(rules.words.join('\n'))
  return (
    <>
      <fieldset className="m-0 flex flex-wrap gap-x-4 gap-y-1 border-0 p-0">
        <legend className="mb-1 p-0 font-[520]">Look for</legend>
        {KINDS.map(({ kind, label }) => (
          <label key={kind} className="flex items-center gap-1.5">
            <input
              type="checkbox"
              checked={rules.kinds.includes(kind)}
              onChange={({ target }) =>
                onChange({
                  ...rules,
                  kinds: target.checked
                    ? [...rules.kinds, kind]
                    : rules.kinds.filter((other) => other !== kind),
                })
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
      <Field
        label="Your own words"
        about="One a line: names, hosts, customers. Case does not matter."
      >
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              onChange({ ...rules, words: target.value.split('\n') })
            }}
          />
        )}
      </Field>
    </>
  )
}

function Sheet() {
  const actions = useActions()
  const [rules, setRules] = useState<SecretRules>({
    kinds: ['keys', 'tokens', 'private-keys'],
    words: [],
  })
  const [found, setFound] = useState<FoundSecret[] | null>(null)
  const [kept, setKept] = useState<ReadonlySet<string>>(new Set())
  const [format, setFormat] = useState<ExportFormat>('native')
  const [busy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    setFound(await actions.findSecrets(rules))
    setBusy(false)
  }
  const save = () => {
    const values = (found ?? []).map(({ value }) => value).filter((value) => !kept.has(value))
    showDialog(null)
    void actions.exportSession(format, { redact: values })
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && showDialog(null)}
      title="Export without secrets"
      about="They are taken out of every message, argument, summary and name, and of the log inside a page."
      width="lg"
      footer={
        <>
          <Button disabled={busy} onClick={() => void look()}>
            {found ? 'Look again' : 'Look for secrets'}
          </Button>
          <Select
            aria-label="Format"
            className="ml-auto"
            value={format}
            onChange={({ target }) => setFormat(target.value as ExportFormat)}
          >
            {FORMATS.map((entry) => (
              <option key={entry.format} value={entry.format}>
                {entry.label}
              </option>
            ))}
          </Select>
          <Button tone="primary" disabled={found === null || busy} onClick={save}>
            Save
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Rules
          rules={rules}
          onChange={(next) => {
            setRules(next)
            setFound(null)
          }}
        />
        {found ? <SecretList secrets={found} kept={kept} onKept={setKept} /> : null}
        <p className="m-0 text-sm text-ink2">
          Attachments are not searched and stay behind. Hashes of requests that held a secret are
          dropped, since they would no longer be true.
        </p>
      </div>
    </Dialog>
  )
}
