'use client'

import {
  Braces,
  Database,
  Download,
  File,
  FolderOpen,
  Import,
  Keyboard,
  Layers,
  Library,
  ListTree,
  MessageSquare,
  Moon,
  Pencil,
  Radio,
  RotateCw,
  Search,
  Settings,
  Shrink,
  Sparkles,
  SplitSquareVertical,
  Square,
  Sun,
  Trash2,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useActions, useApp, useIsLive, useSession } from '@/lib/state/hooks'
import type { Panel } from '@/lib/state/model'
import { FORMATS } from '../export/formats'
import { useImport } from '../sessions/import-menu'
import { pickFolder } from '../sessions/new-session-menu'
import { withMod } from '../ui/keys'
import { focusComposer, showDialog, showExport, showSettings, useScreen } from './screen'

export type Entry = {
  id: string
  name: string
  icon?: ReactNode
  keys?: string
  /** Other words it is found by. */
  words?: string[]
  run(): void
}

const ICON = 14

/** What can be done whatever is open. */
export function useAppEntries(): Entry[] {
  const actions = useActions()
  const from = useImport()
  const theme = useApp((state) => state.settings.theme)
  return [
    {
      id: 'new-sample',
      name: 'New session with the sample workspace',
      icon: <Library size={ICON} />,
      run: () => void actions.newSession({ kind: 'sample-workspace' }),
    },
    {
      id: 'new-folder',
      name: 'New session from a folder…',
      icon: <FolderOpen size={ICON} />,
      run: () => void pickFolder(),
    },
    {
      id: 'new-empty',
      name: 'New empty session',
      icon: <File size={ICON} />,
      run: () => void actions.newSession({ kind: 'empty' }),
    },
    {
      id: 'sample',
      name: 'Open the sample session',
      icon: <Sparkles size={ICON} />,
      words: ['demo'],
      run: () => void actions.openSample(),
    },
    {
      id: 'import',
      name: 'Import transcripts…',
      icon: <Import size={ICON} />,
      run: () => void from.files(),
    },
    {
      id: 'theme',
      name: theme === 'dark' ? 'Use the light theme' : 'Use the dark theme',
      icon: theme === 'dark' ? <Sun size={ICON} /> : <Moon size={ICON} />,
      run: () => void actions.updateSettings({ theme: theme === 'dark' ? 'light' : 'dark' }),
    },
    {
      id: 'settings',
      name: 'Settings',
      icon: <Settings size={ICON} />,
      words: ['key', 'model', 'system prompt'],
      run: () => showSettings('general'),
    },
    {
      id: 'storage',
      name: 'Storage use',
      icon: <Database size={ICON} />,
      words: ['privacy', 'data'],
      run: () => showSettings('storage'),
    },
    {
      id: 'keys',
      name: 'Keys',
      icon: <Keyboard size={ICON} />,
      keys: '?',
      words: ['shortcuts', 'help'],
      run: () => showDialog('keys'),
    },
  ]
}

const PANELS: { panel: Panel; name: string; icon: ReactNode }[] = [
  { panel: 'strata', name: 'Show strata', icon: <Layers size={ICON} /> },
  { panel: 'surface', name: 'Show the surface', icon: <ListTree size={ICON} /> },
  { panel: 'request', name: 'Show the request', icon: <Braces size={ICON} /> },
  { panel: 'log', name: 'Show the log', icon: <Database size={ICON} /> },
  { panel: 'compare', name: 'Show the comparison', icon: <SplitSquareVertical size={ICON} /> },
  { panel: 'files', name: 'Show the workspace files', icon: <FolderOpen size={ICON} /> },
]

/** What can be done with the open session. */
export function useSessionEntries(): Entry[] {
  const actions = useActions()
  const live = useIsLive()
  const id = useSession((state) => state.id)
  const busy = useSession((state) => !['idle', 'failed'].includes(state.live.phase))
  const writer = useSession((state) => state.role === 'writer')
  const entries: (Entry | false)[] = [
    writer && {
      id: 'write',
      name: 'Write a message',
      icon: <MessageSquare size={ICON} />,
      keys: '/',
      run: () => {
        useScreen.setState({ pane: 'chat' })
        setTimeout(focusComposer)
      },
    },
    busy && { id: 'stop', name: 'Stop', icon: <Square size={ICON} />, run: () => actions.stop() },
    writer && {
      id: 'compact',
      name: 'Compact…',
      icon: <Shrink size={ICON} />,
      words: ['summarise', 'preset', 'threshold'],
      run: () => showDialog('compact'),
    },
    {
      id: 'find',
      name: 'Find in this session',
      icon: <Search size={ICON} />,
      keys: withMod('F'),
      run: () => useScreen.setState({ finding: true, pane: 'chat' }),
    },
    !live && {
      id: 'live',
      name: 'Back to live',
      icon: <Radio size={ICON} />,
      keys: 'L',
      run: () => actions.setPlayhead(null),
    },
    ...PANELS.map(({ panel, name, icon }) => ({
      id: `panel-${panel}`,
      name,
      icon,
      run: () => {
        actions.setPanel(panel)
        useScreen.setState({ pane: 'inspector' })
      },
    })),
    writer && {
      id: 'model',
      name: 'Use another model…',
      icon: <RotateCw size={ICON} />,
      run: () => showDialog('custom-model'),
    },
    {
      id: 'export',
      name: 'Export…',
      icon: <Download size={ICON} />,
      keys: withMod('E'),
      words: ['save', 'file', 'secrets', 'redact', ...FORMATS.map(({ label }) => label)],
      run: () => showExport(),
    },
    writer && {
      id: 'rename',
      name: 'Rename this session',
      icon: <Pencil size={ICON} />,
      run: () =>
        setTimeout(() => document.querySelector<HTMLElement>('[data-session-title]')?.click()),
    },
    {
      id: 'delete',
      name: 'Delete this session',
      icon: <Trash2 size={ICON} />,
      words: ['remove', 'trash'],
      run: () => void actions.remove(id),
    },
  ]
  return entries.filter((entry) => entry !== false)
}
