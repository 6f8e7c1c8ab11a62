'use client'

import { useEffect, useState } from 'react'
import { createApp } from '@/lib/state/compose'
import { type App, AppProvider, useApp } from '@/lib/state/hooks'
import { ExportProgress } from './export/export-progress'
import { ChooseDialog } from './sessions/choose-dialog'
import { FolderDialog } from './sessions/folder-dialog'
import { ReportDialog } from './sessions/report-dialog'
import { FailedScreen, LoadingScreen } from './shell/boot-screens'
import { DocumentTitle } from './shell/document-title'
import { DropOverlay } from './shell/drop-overlay'
import { KeysDialog } from './shell/keys-dialog'
import { Palette } from './shell/palette'
import { SettingsDialog } from './shell/settings-dialog'
import { Toasts } from './shell/toasts'
import { applyTheme } from './ui/theme'
import { TooltipProvider } from './ui/tooltip'
import { Workbench } from './workbench'

type Doors = Parameters<typeof createApp>[0]

/** One app a page, whatever React does with the component that asked for it. */
let made: App | null = null

/** Starts the app in the browser; the server and the first paint see the loading screen. */
export function AppRoot(doors: Doors) {
  const [app, setApp] = useState<App | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: made once with the doors of the first render
  useEffect(() => {
    made ??= createApp(doors)
    setApp(made)
  }, [])
  if (!app) return <LoadingScreen />
  return (
    <AppProvider app={app}>
      <TooltipProvider>
        <Theme />
        <DocumentTitle />
        <Screen />
        <Toasts />
      </TooltipProvider>
    </AppProvider>
  )
}

function Screen() {
  const boot = useApp((state) => state.boot)
  const problem = useApp((state) => state.bootProblem)
  if (boot === 'loading') return <LoadingScreen />
  if (boot === 'failed')
    return <FailedScreen problem={problem ?? 'This browser refused to store data.'} />
  return (
    <>
      <Workbench />
      <Palette />
      <SettingsDialog />
      <KeysDialog />
      <FolderDialog />
      <ChooseDialog />
      <ReportDialog />
      <DropOverlay />
      <ExportProgress />
    </>
  )
}

function Theme() {
  const theme = useApp((state) => state.settings.theme)
  const ready = useApp((state) => state.boot === 'ready')
  useEffect(() => {
    if (ready) applyTheme(theme)
  }, [theme, ready])
  return null
}
