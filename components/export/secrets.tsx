'use client'

import { useEffect, useRef, useState } from 'react'
import type { SecretRules } from '@/lib/state/export-model'
import { useActions } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Field, TextArea } from '../ui/field'
import { count } from '../ui/format'
import { Spinner } from '../ui/spinner'
import { SecretList } from './secret-list'
import type { ExportForm } from './use-export-form'

const KINDS: { kind: SecretRules['kinds'][number]; label: string }[] = [
  { kind: 'keys', label: 'API keys' },
  { kind: 'tokens', label: 'Tokens and passwords' },
  { kind: 'private-keys', label: 'Private keys' },
  { kind: 'emails', label: 'Email addresses' },
]

/** The step that takes secrets out: what to look for, every hit, what stays. */
export function Secrets({ form }: { form: ExportForm }) {
  const { format, clean, setClean, rules, setRules } = form
  const isFixed = format === 'original'
  return (
    <section aria-label="Secrets" className="border-t pt-3">
      <label className="flex items-center gap-2 font-[520]">
        <input
          type="checkbox"
          className="accent-accent"
          checked={clean}
          disabled={isFixed}
          onChange={({ target }) => setClean(target.checked)}
        />
        Take out secrets
      </label>
      <p className="m-0 mt-0.5 pl-5.5 text-sm text-ink2">
        {isFixed
          ? 'The original is handed out byte for byte. Choose another format to leave secrets out.'
          : 'Keys, passwords and your own words, out of every message, argument, summary, attachment and name.'}
      </p>
      {clean ? (
        <div className="mt-3 flex flex-col gap-3 pl-5.5">
          <Rules rules={rules} onChange={setRules} />
          <Look form={form} />
        </div>
      ) : null}
    </section>
  )
}

function Rules({ rules, onChange }: { rules: SecretRules; onChange(rules: SecretRules): void }) {
  const [text, setText] = useState(rules.words.join('\n'))
  const { kinds } = rules
  return (
    <>
      <fieldset className="m-0 flex flex-wrap gap-x-4 gap-y-1 border-0 p-0">
        <legend className="sr-only">Look for</legend>
        {KINDS.map(({ kind, label }) => (
          <label key={kind} className="flex items-center gap-1.5">
            <input
              type="checkbox"
              className="accent-accent"
              checked={kinds.includes(kind)}
              onChange={({ target }) => {
                const others = kinds.filter((other) => other !== kind)
                onChange({ ...rules, kinds: target.checked ? [...others, kind] : others })
              }}
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
            rows={2}
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

/** Looks when asked; what is under way ends with the dialog, or when asked again. */
function useLook({ format, rules, setFound }: ExportForm) {
  const { findSecrets } = useActions()
  const [busy, setBusy] = useState(false)
  const ender = useRef<AbortController | null>(null)
  useEffect(() => () => ender.current?.abort(), [])
  const look = async () => {
    ender.current?.abort()
    const own = new AbortController()
    ender.current = own
    setBusy(true)
    const found = await findSecrets(format, rules, own.signal)
    if (ender.current !== own) return
    setBusy(false)
    if (found) setFound(found)
  }
  return { busy, look, stop: () => ender.current?.abort() }
}

function Look({ form }: { form: ExportForm }) {
  const { found, kept, setKept, keepMedia, setKeepMedia } = form
  const { busy, look, stop } = useLook(form)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button disabled={busy} onClick={() => void look()}>
          {found ? 'Look again' : 'Look for secrets'}
        </Button>
        {busy ? (
          <>
            <Spinner />
            <Button tone="quiet" onClick={stop}>
              Stop looking
            </Button>
          </>
        ) : null}
        {found || busy ? null : (
          <span className="text-sm text-ink2">You see every hit before anything is saved.</span>
        )}
      </div>
      {found ? <SecretList secrets={found.secrets} kept={kept} onKept={setKept} /> : null}
      {found && found.unread > 0 ? (
        <label className="flex items-baseline gap-2">
          <input
            type="checkbox"
            className="accent-accent"
            checked={keepMedia}
            onChange={({ target }) => setKeepMedia(target.checked)}
          />
          <span>
            Keep pictures and other attachments that are no text
            <span className="block text-sm text-ink2">
              {count(found.unread, 'attachment')}: what a picture shows cannot be searched. One in
              whose data a secret was found stays behind in any case.
            </span>
          </span>
        </label>
      ) : null}
      {found && found.secrets.length > 0 ? (
        <p className="m-0 text-sm text-ink2">
          Hashes of requests that held one of these are dropped, since they would no longer be true.
        </p>
      ) : null}
    </>
  )
}
