/** What only this screen knows: which dialog is open, which pane a narrow screen shows. Not in the URL, not stored. */

import { create } from 'zustand'
import type { Seq } from '@/lib/core/event'
import type { ExportFormat } from '@/lib/state/export-model'
import type { FileInPath } from '../ui/files'

export type DialogName =
  | 'settings'
  | 'compact'
  | 'review'
  | 'palette'
  | 'keys'
  | 'custom-model'
  | 'session-settings'
  | 'export'
export type SettingsTab = 'general' | 'models' | 'compaction' | 'storage'

type Screen = {
  dialog: DialogName | null
  settingsTab: SettingsTab
  /** The format the export dialog stands at; the last one chosen. */
  exportFormat: ExportFormat
  /** The find bar of the chat. */
  finding: boolean
  /** What the find bar has come to: folded things that hold it open themselves. */
  found: { seq: Seq; words: string } | null
  /** Narrow screens: the drawer of sessions, and which pane is seen. */
  drawer: boolean
  pane: 'chat' | 'inspector'
  /** A folder waiting for its dialog to be confirmed. */
  folder: FileInPath[] | null
  /** Files dropped for the message being written; the composer takes them. */
  dropped: File[]
  /** How many messages were sent from here: who sends one wants to see what becomes of it. */
  sent: number
  /** The composer was asked for before it was there; it takes the focus when it comes. */
  awaited: boolean
}

export const useScreen = create<Screen>()(() => ({
  dialog: null,
  settingsTab: 'general',
  exportFormat: 'native',
  finding: false,
  found: null,
  drawer: false,
  pane: 'chat',
  folder: null,
  dropped: [],
  sent: 0,
  awaited: false,
}))

export const showDialog = (dialog: DialogName | null): void => useScreen.setState({ dialog })
export const showSettings = (settingsTab: SettingsTab): void =>
  useScreen.setState({ dialog: 'settings', settingsTab })

export const showExport = (exportFormat?: ExportFormat): void =>
  useScreen.setState({ dialog: 'export', ...(exportFormat ? { exportFormat } : {}) })

/** The composer, wherever it is mounted; or as soon as it is: a session just opened is not written at once. */
export const focusComposer = (): void => {
  const composer = document.querySelector<HTMLTextAreaElement>('[data-composer]')
  composer?.focus()
  useScreen.setState({ awaited: composer === null })
}
