'use client'

import { HardDrive, X } from 'lucide-react'
import { useActions, useApp } from '@/lib/state/hooks'
import { showSettings } from '../shell/screen'
import { IconButton } from '../ui/button'
import { bytes } from '../ui/format'

/** Where the data lives: said once in full, then as one quiet line with how much there is. */
export function StorageLine() {
  const storage = useApp((state) => state.storage)
  const seen = useApp((state) => state.settings.seenPrivacyNote)
  const any = useApp((state) => state.sessions.length > 0)
  const { updateSettings } = useActions()
  if (!any) return null
  return (
    <div className="border-t px-2.5 py-1.5 text-xs text-ink3">
      {seen ? null : (
        <div className="mb-1.5 flex items-start gap-1 rounded-lg bg-hover py-1.5 pl-2.5 pr-1 text-ink2">
          <p className="m-0 flex-1">
            Sessions live in this browser alone. Clearing its data deletes them, so export what you
            want to keep.
          </p>
          <IconButton
            size="sm"
            label="Understood"
            onClick={() => void updateSettings({ seenPrivacyNote: true })}
          >
            <X size={13} />
          </IconButton>
        </div>
      )}
      <button
        type="button"
        className="flex w-full items-center gap-1.5 rounded-sm px-1 py-0.5 text-left hover:text-ink"
        onClick={() => showSettings('storage')}
      >
        <HardDrive size={12} />
        {storage ? `${bytes(storage.usage)} in this browser` : 'Stored in this browser'}
      </button>
    </div>
  )
}
