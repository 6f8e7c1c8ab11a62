'use client'

import { useState } from 'react'
import { useActions, useSession } from '@/lib/state/hooks'
import { count } from '../ui/format'

const ASKS = [
  'Read every file in agents/ one after the other',
  'Where is THRESHOLD defined?',
  'Summarise notes.md',
]

/** Before the first message: what there is to work with, and things to ask. */
export function EmptyChat() {
  const { send } = useActions()
  const files = useSession((state) => state.files.length)
  const offline = useSession((state) => state.chosen.provider === 'offline')
  const writer = useSession((state) => state.role === 'writer')
  const [asked, setAsked] = useState(false)
  return (
    <div className="mx-auto flex h-full w-full max-w-176 flex-col justify-end gap-3 px-6 pb-6 max-wide:px-4">
      <div>
        <h2 className="m-0 text-lg font-semibold">
          {files ? `${count(files, 'file')} to work with` : 'An empty workspace'}
        </h2>
        <p className="m-0 mt-1 max-w-120 text-ink2">
          {offline
            ? 'The offline reader is not a language model. It plans real tool calls, reads files and answers with quotes and where they stand.'
            : 'Tools read and change files that live in this browser only.'}
        </p>
      </div>
      {writer && files > 0 ? (
        <ul className="m-0 flex list-none flex-col items-start gap-1.5 p-0">
          {ASKS.map((ask) => (
            <li key={ask}>
              <button
                type="button"
                // A second click must not ask twice; the screen goes with the first message.
                disabled={asked}
                onClick={() => {
                  setAsked(true)
                  void send(ask, []).finally(() => setAsked(false))
                }}
                className="rounded-lg border bg-panel px-3 py-1.5 text-left hover:bg-hover"
              >
                {ask}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
