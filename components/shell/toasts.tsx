'use client'

import { CircleAlert, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useActions, useApp } from '@/lib/state/hooks'
import type { Toast } from '@/lib/state/model'
import { Button, IconButton } from '../ui/button'
import { Name, plainName } from '../ui/name'

const durationOf = ({ action, tone, lasting }: Toast): number => {
  if (lasting) return Number.POSITIVE_INFINITY
  return action ? 10_000 : tone === 'error' ? 12_000 : 5000
}

/** Short news under the header; an undo waits longer than a remark. */
export function Toasts() {
  const toasts = useApp((state) => state.toasts)
  const { dismissToast } = useActions()
  return (
    <Radix.Provider label="Notice" swipeDirection="up">
      {toasts.map((toast) => (
        <Radix.Root
          key={toast.id}
          type={toast.tone === 'error' ? 'foreground' : 'background'}
          duration={durationOf(toast)}
          onOpenChange={(open) => !open && dismissToast(toast.id)}
          className="flex w-full animate-rise items-start gap-2.5 rounded-lg border border-line bg-raised py-2 pl-3 pr-1.5 shadow-float"
        >
          {toast.tone === 'error' ? (
            <CircleAlert size={15} className="mt-0.75 shrink-0 text-err-ink" aria-hidden="true" />
          ) : null}
          <div className="min-w-0 flex-1 py-0.5">
            <Radix.Title className="font-[520]">
              <Name>{toast.title}</Name>
            </Radix.Title>
            {toast.detail ? (
              <Radix.Description className="text-ink2 [overflow-wrap:anywhere]">
                <Name>{toast.detail}</Name>
              </Radix.Description>
            ) : null}
          </div>
          {toast.action ? (
            <Radix.Action asChild altText={plainName(toast.action.label)}>
              <Button size="sm" onClick={toast.action.run}>
                {toast.action.label}
              </Button>
            </Radix.Action>
          ) : null}
          <Radix.Close asChild>
            <IconButton size="sm" label="Dismiss">
              <X size={13} />
            </IconButton>
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className="fixed left-1/2 top-13 z-50 m-0 flex w-90 -translate-x-1/2 max-w-[calc(100vw-24px)] list-none flex-col gap-2 p-0 outline-none" />
    </Radix.Provider>
  )
}
