'use client'

import { usePanelRef } from 'react-resizable-panels'
import { useHasSession } from '@/lib/state/hooks'
import { ExportDialog } from './export/export-dialog'
import { Inspector } from './inspector/inspector'
import { ReviewDialog } from './review/review-dialog'
import { SessionsPanel } from './sessions/sessions-panel'
import { Centre } from './shell/centre'
import { CompactDialog } from './shell/compact-dialog'
import { CustomModelDialog } from './shell/custom-model-dialog'
import { Header } from './shell/header'
import { ModelSwitch } from './shell/model-switch'
import { NarrowWorkbench } from './shell/narrow'
import { SessionSettingsDialog } from './shell/session-settings'
import { useSessionStatus } from './shell/session-status'
import { useShortcuts } from './shell/use-shortcuts'
import { TimeBar } from './time/time-bar'
import { Divider, Pane, Split } from './ui/split'
import { useNarrow } from './ui/use-media'

/** The one screen: sessions, chat, inspector, time. Panes resize, collapse and remember their size. */
export function Workbench() {
  const narrow = useNarrow()
  const open = useHasSession()
  return (
    <>
      {narrow ? <NarrowWorkbench /> : <WideWorkbench />}
      {open ? (
        <>
          <CompactDialog />
          <ReviewDialog />
          <CustomModelDialog />
          <SessionSettingsDialog />
          <ExportDialog />
          <ModelSwitch />
        </>
      ) : null}
    </>
  )
}

function WideWorkbench() {
  const sessions = usePanelRef()
  const inspector = usePanelRef()
  const toggle = (pane: typeof sessions) => () => {
    if (pane.current?.isCollapsed()) pane.current.expand()
    else pane.current?.collapse()
  }
  useShortcuts(toggle(sessions))
  const status = useSessionStatus()
  const full = status !== null && status !== 'missing'
  return (
    <div className="flex h-dvh flex-col">
      <Header onToggleSessions={toggle(sessions)} onToggleInspector={toggle(inspector)} />
      <main className="min-h-0 flex-1">
        <Split
          id="rows"
          orientation="vertical"
          panes={full ? ['pane-work', 'pane-time'] : ['pane-work']}
        >
          <Pane id="pane-work" minSize="200px">
            <Split
              id="columns"
              panes={
                full
                  ? ['pane-sessions', 'pane-chat', 'pane-inspector']
                  : ['pane-sessions', 'pane-chat']
              }
            >
              <Pane
                id="pane-sessions"
                panelRef={sessions}
                defaultSize="236px"
                minSize="180px"
                maxSize="420px"
                collapsible
                groupResizeBehavior="preserve-pixel-size"
              >
                <SessionsPanel />
              </Pane>
              <Divider label="Width of sessions" />
              <Pane id="pane-chat" minSize="340px">
                <Centre />
              </Pane>
              {full ? (
                <>
                  <Divider label="Width of the inspector" />
                  <Pane
                    id="pane-inspector"
                    panelRef={inspector}
                    defaultSize="600px"
                    minSize="320px"
                    collapsible
                  >
                    <Inspector />
                  </Pane>
                </>
              ) : null}
            </Split>
          </Pane>
          {full ? (
            <>
              <Divider label="Height of the time bar" vertical />
              <Pane
                id="pane-time"
                defaultSize="148px"
                minSize="96px"
                maxSize="50%"
                collapsible
                groupResizeBehavior="preserve-pixel-size"
              >
                <TimeBar />
              </Pane>
            </>
          ) : null}
        </Split>
      </main>
    </div>
  )
}
