'use client'

import { FileQuestion, FileWarning } from 'lucide-react'
import { useActions } from '@/lib/state/hooks'
import { useImport } from '../sessions/import-menu'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'

/** A link to a session that this browser does not hold. */
export function MissingSession() {
  const { closeSession } = useActions()
  const from = useImport()
  return (
    <EmptyState
      icon={<FileQuestion size={28} strokeWidth={1.5} />}
      title="This session is not in this browser"
      actions={
        <>
          <Button tone="primary" onClick={() => void from.files()}>
            Import it
          </Button>
          <Button onClick={closeSession}>Start page</Button>
        </>
      }
    >
      Sessions live where they were made. If you have its exported log, import it and this link will
      open it.
    </EmptyState>
  )
}

/** A log that does not fold: said plainly, and still taken along. */
export function DamagedSession({ problem }: { problem: string | null }) {
  const { closeSession, exportSession } = useActions()
  return (
    <EmptyState
      icon={<FileWarning size={28} strokeWidth={1.5} />}
      title="This log cannot be read"
      actions={
        <>
          <Button onClick={() => void exportSession('native')}>Export what is there</Button>
          <Button onClick={closeSession}>Start page</Button>
        </>
      }
    >
      {problem ?? 'It breaks a rule that everything else stands on.'}
    </EmptyState>
  )
}
