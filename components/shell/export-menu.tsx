'use client'

import {
  AppWindow,
  Braces,
  ChevronDown,
  FileArchive,
  FileClock,
  FileJson,
  FileText,
} from 'lucide-react'
import { useActions, useMoment, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'

/** Everything can be carried away. */
export function ExportMenu() {
  return (
    <Menu
      align="end"
      className="w-72"
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

export function ExportItems() {
  const actions = useActions()
  const moment = useMoment()
  const files = useSession((state) => state.files.length)
  const imported = useSession((state) => state.header.origin !== undefined)
  return (
    <>
      <MenuItem
        icon={<FileJson size={14} />}
        about="The whole log, lossless; imports again here."
        onSelect={() => void actions.exportSession('native')}
      >
        Log (JSONL)
      </MenuItem>
      <MenuItem
        icon={<AppWindow size={14} />}
        about="Opens anywhere, offline; strata, curve, conversation. Carries the log: imports again here."
        onSelect={() => void actions.exportSession('html')}
      >
        Web page (HTML)
      </MenuItem>
      <MenuItem
        icon={<FileText size={14} />}
        about="The full conversation, compactions marked."
        onSelect={() => void actions.exportSession('markdown')}
      >
        Markdown
      </MenuItem>
      <MenuItem
        icon={<Braces size={14} />}
        about="Exactly what the model was sent."
        onSelect={() => void actions.exportSession('request')}
      >
        Request at #{moment}
      </MenuItem>
      {imported ? (
        <MenuItem
          icon={<FileClock size={14} />}
          about="The file it was imported from, byte for byte."
          onSelect={() => void actions.exportSession('original')}
        >
          Original file
        </MenuItem>
      ) : null}
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
