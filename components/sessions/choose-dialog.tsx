'use client'

import { useMemo, useState } from 'react'
import { useActions, useApp } from '@/lib/state/hooks'
import type { AppState } from '@/lib/state/model'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { TextInput } from '../ui/field'
import { count, exact } from '../ui/format'
import { plainName } from '../ui/name'
import { ChooseList } from './choose-list'
import { choiceOf, matching, rowsOf } from './choose-rows'

/** Which conversations of an export become sessions, asked before any is read. */
export function ChooseDialog() {
  const choosing = useApp((state) => state.choosing)
  return choosing ? <Choose key={choosing.name} choosing={choosing} /> : null
}

function Choose({ choosing }: { choosing: NonNullable<AppState['choosing']> }) {
  const { chooseConversations } = useActions()
  const rows = useMemo(() => rowsOf(choosing.lists), [choosing])
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(rows.map(({ key }) => key)),
  )
  const shown = matching(rows, typed)
  const set = (keys: readonly string[], on: boolean) => {
    const next = new Set(chosen)
    for (const key of keys) {
      if (on) next.add(key)
      else next.delete(key)
    }
    setChosen(next)
  }
  const shownKeys = shown.map(({ key }) => key)
  const isFound = shown.length < rows.length
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && chooseConversations(null)}
      title="Choose conversations"
      about={`${plainName(choosing.name)} holds ${count(rows.length, 'conversation')}. Each one you choose becomes a session here.`}
      footer={
        <>
          <span role="status" className="tabular-nums text-ink2">
            {exact(chosen.size)} of {exact(rows.length)} chosen
          </span>
          <Button className="ml-auto" onClick={() => chooseConversations(null)}>
            Cancel
          </Button>
          <Button
            tone="primary"
            disabled={chosen.size === 0}
            onClick={() => chooseConversations(choiceOf(rows, chosen))}
          >
            Import {exact(chosen.size)}
          </Button>
        </>
      }
    >
      <div className="mb-2 flex items-center gap-2">
        <TextInput
          type="search"
          aria-label="Find by title"
          placeholder="Find by title"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button onClick={() => set(shownKeys, true)}>{isFound ? 'All found' : 'All'}</Button>
        <Button onClick={() => set(shownKeys, false)}>{isFound ? 'None found' : 'None'}</Button>
      </div>
      {shown.length === 0 ? (
        <p className="m-0 rounded-md border px-3 py-6 text-center text-ink2">
          No title contains “{typed.trim()}”.
        </p>
      ) : (
        <ChooseList rows={shown} chosen={chosen} onChange={(key, on) => set([key], on)} />
      )}
    </Dialog>
  )
}
