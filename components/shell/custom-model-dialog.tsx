'use client'

import { useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import { withOwn } from '@/lib/state/model-list'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Field, TextInput } from '../ui/field'
import { useServerProblem } from './model-menu'
import { useModelSwitch } from './model-switch'
import { showDialog, useScreen } from './screen'

/** A positive whole number, undefined for an empty field, null for anything else. */
export const tokens = (text: string): number | undefined | null => {
  const plain = text.replace(/[\s,_]/g, '')
  if (plain === '') return undefined
  const value = /k$/i.test(plain) ? Number(plain.slice(0, -1)) * 1000 : Number(plain)
  return Number.isInteger(value) && value > 0 ? value : null
}

/** A model by its id, with the limits nobody tells us. */
export function CustomModelDialog() {
  const open = useScreen((state) => state.dialog === 'custom-model')
  return open ? <Sheet /> : null
}

function Sheet() {
  const switchTo = useModelSwitch()
  const upstream = useApp((state) => state.server?.upstream)
  const problem = useServerProblem()
  const own = useApp((state) => state.settings.models)
  const { updateSettings } = useActions()
  const [id, setId] = useState('')
  const [window, setWindow] = useState('')
  const [reply, setReply] = useState('')
  const contextWindow = tokens(window)
  const maxTokens = tokens(reply)
  const valid = id.trim() !== '' && contextWindow !== null && maxTokens !== null
  const choose = () => {
    if (!valid) return
    showDialog(null)
    const name = id.trim()
    // What is typed here is known from now on, and can be changed in the settings.
    if (contextWindow !== undefined || maxTokens !== undefined) {
      const before = Object.hasOwn(own, name) ? own[name] : {}
      const said = {
        ...before,
        ...(contextWindow && { contextWindow }),
        ...(maxTokens && { maxTokens }),
      }
      void updateSettings({ models: withOwn(own, name, said) })
    }
    switchTo({ provider: 'anthropic', id: name, contextWindow, maxTokens })
  }
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && showDialog(null)}
      title="Another model"
      about={`Any id that ${upstream ?? 'the server’s upstream'} knows.`}
      width="sm"
      footer={
        <>
          <Button className="ml-auto" onClick={() => showDialog(null)}>
            Cancel
          </Button>
          <Button tone="primary" disabled={!valid} onClick={choose}>
            Use this model
          </Button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          choose()
        }}
      >
        <Field label="Model id" problem={problem}>
          {(control) => (
            <TextInput
              {...control}
              autoFocus
              value={id}
              placeholder="claude-sonnet-5"
              onChange={(event) => setId(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Context window, tokens"
          about="Empty: unknown. Compaction then waits for a refusal unless a threshold is set."
          problem={contextWindow === null ? 'A whole number, such as 200000 or 200k.' : null}
        >
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={window}
              placeholder="200000"
              onChange={(event) => setWindow(event.target.value)}
            />
          )}
        </Field>
        <Field
          label="Longest reply, tokens"
          about="Kept free in the window."
          problem={maxTokens === null ? 'A whole number, such as 8192 or 8k.' : null}
        >
          {(control) => (
            <TextInput
              {...control}
              inputMode="numeric"
              value={reply}
              placeholder="8192"
              onChange={(event) => setReply(event.target.value)}
            />
          )}
        </Field>
        <input type="submit" hidden />
      </form>
    </Dialog>
  )
}
