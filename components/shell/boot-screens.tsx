import type { ReactNode } from 'react'
import { Button } from '../ui/button'
import { EmptyState } from '../ui/empty-state'
import { Logo } from '../ui/logo'
import { Skeleton } from '../ui/spinner'

/** The workbench before anything is known; also what the server renders. */
export function LoadingScreen() {
  return (
    <div className="flex h-dvh flex-col" aria-busy="true">
      <p className="sr-only" role="status">
        Loading Palimpsest
      </p>
      <div className="flex h-11 items-center gap-3 border-b bg-panel px-3">
        <Skeleton className="size-7" />
        <Logo />
        <Skeleton className="ml-2 h-5 w-44" />
        <Skeleton className="h-2 w-60 rounded-full max-wide:hidden" />
      </div>
      <div className="flex min-h-0 flex-1">
        <div className="flex w-59 flex-col gap-3 border-r bg-panel p-2.5 max-wide:hidden">
          <Skeleton className="h-7" />
          {[0, 1, 2].map((row) => (
            <div key={row} className="flex flex-col gap-1.5 px-2 py-1.5">
              <Skeleton className="h-3.5 w-36" />
              <Skeleton className="h-3 w-28" />
              <Skeleton className="h-4 w-full" />
            </div>
          ))}
        </div>
        <div className="mx-auto flex w-full max-w-160 flex-col gap-3 p-6">
          <Skeleton className="h-3.5 w-16" />
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-8 w-full" />
          <Skeleton className="h-8 w-full" />
          <Skeleton className="mt-4 h-3.5 w-20" />
          <Skeleton className="h-4 w-full" />
          <Skeleton className="h-4 w-2/3" />
        </div>
      </div>
    </div>
  )
}

const Centred = ({ children }: { children: ReactNode }) => (
  <main className="grid h-dvh place-items-center p-6">
    <div className="flex flex-col items-center gap-2">
      <Logo />
      {children}
    </div>
  </main>
)

/** The app cannot run here; why, and what helps. */
export const FailedScreen = ({ problem }: { problem: string }) => (
  <Centred>
    <EmptyState
      title="Palimpsest cannot start here"
      actions={
        <Button tone="primary" onClick={() => location.reload()}>
          Try again
        </Button>
      }
    >
      {problem}
    </EmptyState>
  </Centred>
)
