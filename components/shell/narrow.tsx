'use client'

import {
  Download,
  Ellipsis,
  Menu as MenuIcon,
  Search,
  Settings,
  Shrink,
  SlidersHorizontal,
} from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useActions, useApp, useReading, useSession } from '@/lib/state/hooks'
import type { Panel } from '@/lib/state/model'
import { Inspector } from '../inspector/inspector'
import { SessionsPanel } from '../sessions/sessions-panel'
import { TimeBar } from '../time/time-bar'
import { IconButton } from '../ui/button'
import { cx } from '../ui/cx'
import { Logo } from '../ui/logo'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { Name } from '../ui/name'
import { Num } from '../ui/num'
import { Centre } from './centre'
import { showDialog, showExport, useScreen } from './screen'
import { useSessionStatus } from './session-status'
import { useShortcuts } from './use-shortcuts'

const openDrawer = (drawer: boolean) => useScreen.setState({ drawer })

/** One pane at a time, the sessions in a drawer, the views at the bottom with a small time bar. */
export function NarrowWorkbench() {
  useShortcuts(() => openDrawer(!useScreen.getState().drawer))
  const status = useSessionStatus()
  const full = status !== null && status !== 'missing'
  const pane = useScreen((state) => state.pane)
  return (
    <div className="flex h-dvh flex-col">
      <NarrowHeader />
      <main className="min-h-0 flex-1">
        {full && pane === 'inspector' ? (
          <div className="h-full [&_[data-inspector-tabs]]:hidden">
            <Inspector />
          </div>
        ) : (
          <Centre />
        )}
      </main>
      {full ? <Views /> : null}
      <Drawer />
    </div>
  )
}

function NarrowHeader() {
  const status = useSessionStatus()
  const open = status !== null && status !== 'missing'
  return (
    <header className="flex h-11.5 shrink-0 items-center gap-2 border-b bg-panel px-3">
      <IconButton label="Sessions" tone="plain" onClick={() => openDrawer(true)}>
        <MenuIcon size={15} />
      </IconButton>
      {open ? (
        <NarrowSession />
      ) : (
        <>
          <Logo />
          <IconButton label="Settings" className="ml-auto" onClick={() => showDialog('settings')}>
            <Settings size={15} />
          </IconButton>
        </>
      )}
    </header>
  )
}

function NarrowSession() {
  const title = useSession((state) => state.title) || 'Untitled session'
  const writer = useSession((state) => state.role === 'writer')
  const reading = useReading()
  return (
    <>
      <h1 className="m-0 min-w-0 flex-1 truncate text-base font-semibold">
        <Name>{title}</Name>
      </h1>
      <Num value={reading.total} unit="tokens in the window" className="mono text-ink2" />
      <Menu
        align="end"
        className="w-72"
        trigger={
          <IconButton label="More" tone="plain">
            <Ellipsis size={15} />
          </IconButton>
        }
      >
        <MenuItem
          icon={<Search size={14} />}
          onSelect={() => useScreen.setState({ finding: true, pane: 'chat' })}
        >
          Find
        </MenuItem>
        <MenuItem
          icon={<Shrink size={14} />}
          disabled={!writer}
          onSelect={() => showDialog('compact')}
        >
          Compact…
        </MenuItem>
        <MenuItem
          icon={<SlidersHorizontal size={14} />}
          disabled={!writer}
          onSelect={() => showDialog('custom-model')}
        >
          Another model…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Download size={14} />} onSelect={() => showExport()}>
          Export…
        </MenuItem>
        <MenuSeparator />
        <MenuItem icon={<Settings size={14} />} onSelect={() => showDialog('settings')}>
          Settings
        </MenuItem>
      </Menu>
    </>
  )
}

const VIEWS: { view: Panel | 'chat'; label: string }[] = [
  { view: 'chat', label: 'Chat' },
  { view: 'strata', label: 'Strata' },
  { view: 'surface', label: 'Surface' },
  { view: 'request', label: 'Request' },
  { view: 'log', label: 'Log' },
  { view: 'compare', label: 'Compare' },
  { view: 'files', label: 'Files' },
]

function Views() {
  const pane = useScreen((state) => state.pane)
  const panel = useApp((state) => state.view.panel)
  const { setPanel } = useActions()
  const current = pane === 'chat' ? 'chat' : panel
  return (
    <footer className="shrink-0 border-t bg-panel">
      <nav aria-label="Views" className="mx-3 mt-2 flex overflow-x-auto rounded-lg bg-hover p-0.5">
        {VIEWS.map(({ view, label }) => (
          <button
            key={view}
            type="button"
            aria-current={view === current ? 'true' : undefined}
            onClick={() => {
              if (view === 'chat') useScreen.setState({ pane: 'chat' })
              else {
                setPanel(view)
                useScreen.setState({ pane: 'inspector' })
              }
            }}
            className={cx(
              'flex-auto rounded-md px-1.5 py-1.5 text-center',
              view === current ? 'bg-panel font-[550] text-ink' : 'text-ink2',
            )}
          >
            {label}
          </button>
        ))}
      </nav>
      <div className="h-32 [@media(max-height:520px)]:hidden">
        <TimeBar />
      </div>
    </footer>
  )
}

function Drawer() {
  const open = useScreen((state) => state.drawer)
  return (
    <Radix.Root open={open} onOpenChange={openDrawer}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-30 animate-fade bg-veil" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-y-0 left-0 z-30 flex w-[min(320px,86vw)] flex-col border-r bg-panel shadow-float outline-none"
        >
          <div className="flex items-center justify-between px-3 pt-3">
            <Logo />
            <Radix.Title className="sr-only">Sessions</Radix.Title>
          </div>
          <div className="min-h-0 flex-1">
            <SessionsPanel onOpened={() => openDrawer(false)} />
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
