import Link from 'next/link'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'

export default function NotFound() {
  return (
    <main className="grid h-dvh place-items-center">
      <EmptyState
        title="There is no page here"
        actions={
          <Button tone="primary" asChild>
            <Link href="/">Open Palimpsest</Link>
          </Button>
        }
      >
        Sessions are opened from the start page; a link to one ends in{' '}
        <span className="mono">?s=</span>.
      </EmptyState>
    </main>
  )
}
