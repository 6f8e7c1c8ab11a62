'use client'

import { PanelLeft, PanelRight, Search, Settings } from 'lucide-react'
import { useSession } from '@/lib/state/hooks'
import { Button, IconButton } from '../ui/button'
import { withMod } from '../ui/keys'
import { Logo } from '../ui/logo'
import { Tooltip } from '../ui/tooltip'
import { Meter } from './meter'
import { ModelMenu } from './model-menu'
import { showDialog, showExport, useScreen } from './screen'
import { useSessionStatus } from './session-status'
import { SessionTitle } from './session-title'

export function Header({
  onToggleSessions,
  onToggleInspector,
}: {
  onToggleSessions(): void
  onToggleInspector(): void
}) {
  const status = useSessionStatus()
  const open = status !== null && status !== 'missing'
  return (
    <header className="@container flex h-11 shrink-0 items-center gap-2 border-b bg-panel px-3">
      <IconButton label="Show or hide sessions" keys={withMod('B')} onClick={onToggleSessions}>
        <PanelLeft size={15} />
      </IconButton>
      <Logo className="mr-2" />
      {open ? <SessionPart /> : <span className="flex-1" />}
      <Tooltip label="Every command" keys={withMod('K')}>
        <Button aria-label="Command palette" onClick={() => showDialog('palette')}>
          {withMod('K')}
        </Button>
      </Tooltip>
      {open ? <SessionActions /> : null}
      <IconButton label="Settings" onClick={() => showDialog('settings')}>
        <Settings size={15} />
      </IconButton>
      {open ? (
        <IconButton label="Show or hide the inspector" onClick={onToggleInspector}>
          <PanelRight size={15} />
        </IconButton>
      ) : null}
    </header>
  )
}

function SessionPart() {
  return (
    <>
      <SessionTitle />
      <ModelMenu />
      <Meter />
    </>
  )
}

function SessionActions() {
  const writer = useSession((state) => state.role === 'writer')
  return (
    <>
      <IconButton
        label="Find in this session"
        keys={withMod('F')}
        onClick={() => useScreen.setState({ finding: true })}
      >
        <Search size={15} />
      </IconButton>
      <Button disabled={!writer} onClick={() => showDialog('compact')}>
        Compact…
      </Button>
      <Tooltip label="Save this session as a file" keys={withMod('E')}>
        <Button onClick={() => showExport()}>Export</Button>
      </Tooltip>
    </>
  )
}
