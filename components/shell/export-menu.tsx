'use client'

import {
  AppWindow,
  Braces,
  ChevronDown,
  Eye,
  FileArchive,
  FileClock,
  FileJson,
  FileText,
  type LucideIcon,
  MessagesSquare,
  ScrollText,
  ShieldCheck,
  Text,
} from 'lucide-react'
import { lossesOf } from '@/lib/state/export-losses'
import { useActions, useMoment, useSession } from '@/lib/state/hooks'
import type { ExportFormat } from '@/lib/state/model'
import { Button } from '../ui/button'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'
import { showDialog } from './screen'

/** Everything can be carried away. */
export function ExportMenu() {
  return (
    <Menu
      align="end"
      className="w-80"
      trigger={
        <Button>
          Export
          <ChevronDown size={12} />
        </Button>
      }
    >
      <ExportItems />
    </Menu>
  )
}

type Entry = { format: ExportFormat; icon: LucideIcon; label: string; about: string }

const entriesAt = (moment: number): Entry[] => [
  {
    format: 'native',
    icon: FileJson,
    label: 'Log (JSONL)',
    about: 'The whole log, lossless; imports again here.',
  },
  {
    format: 'html',
    icon: AppWindow,
    label: 'Web page (HTML)',
    about: 'Strata, curve and conversation, offline. Carries the log; imports again here.',
  },
  {
    format: 'markdown',
    icon: FileText,
    label: 'Markdown',
    about: 'The full conversation, compactions marked.',
  },
  {
    format: 'text',
    icon: Text,
    label: 'Plain text',
    about: 'The full conversation, compactions marked.',
  },
  {
    format: 'dsh',
    icon: ScrollText,
    label: 'DeepSeek Harness log (v0)',
    about: 'Messages, results and compactions.',
  },
  {
    format: 'view',
    icon: Eye,
    label: `As the model saw it at #${moment}`,
    about: 'Markdown of the surface.',
  },
  {
    format: 'request',
    icon: Braces,
    label: `Request at #${moment}`,
    about: 'Anthropic Messages JSON, exactly what the model was sent.',
  },
  {
    format: 'openai',
    icon: MessagesSquare,
    label: `OpenAI messages at #${moment}`,
    about: 'The surface as chat messages.',
  },
]

function FormatItem({ format, icon: Icon, label, about }: Entry) {
  const actions = useActions()
  const moment = useMoment()
  const heads = useSession((state) => state.log.heads)
  const losses = lossesOf(format, heads, moment)
  return (
    <MenuItem
      icon={<Icon size={14} />}
      about={
        <>
          {about}
          {losses.length > 0 ? (
            <span className="block text-ink3">Leaves out: {losses.join(', ')}.</span>
          ) : null}
        </>
      }
      onSelect={() => void actions.exportSession(format)}
    >
      {label}
    </MenuItem>
  )
}

export function ExportItems() {
  const actions = useActions()
  const moment = useMoment()
  const files = useSession((state) => state.files.length)
  const imported = useSession((state) => state.header.origin !== undefined)
  return (
    <>
      {entriesAt(moment).map((entry) => (
        <FormatItem key={entry.format} {...entry} />
      ))}
      {imported ? (
        <MenuItem
          icon={<FileClock size={14} />}
          about="The file it was imported from, byte for byte."
          onSelect={() => void actions.exportSession('original')}
        >
          Original file
        </MenuItem>
      ) : null}
      <MenuItem
        icon={<ShieldCheck size={14} />}
        about="Finds keys, tokens and your own words, shows every hit, takes them out."
        onSelect={() => showDialog('redact')}
      >
        Without secrets…
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<FileArchive size={14} />}
        disabled={files === 0}
        onSelect={() => void actions.downloadWorkspace()}
      >
        Workspace (zip)
      </MenuItem>
    </>
  )
}
