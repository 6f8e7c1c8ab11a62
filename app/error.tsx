'use client'

import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export default function ErrorPage({ error, retry }: { error: unknown; retry: () => void }) {
  useEffect(() => console.error(error), [error])
  return (
    <main className="grid h-dvh place-items-center">
      <EmptyState
        title="Something broke on this screen"
        actions={
          <>
            <Button tone="primary" onClick={() => retry()}>
              Try again
            </Button>
            <Button onClick={() => location.reload()}>Reload</Button>
          </>
        }
      >
        <p className="m-0">
          Your sessions are stored and untouched.{' '}
          {error instanceof Error ? (
            <span className="mono [overflow-wrap:anywhere]">{error.message}</span>
          ) : null}
        </p>
      </EmptyState>
    </main>
  )
}
