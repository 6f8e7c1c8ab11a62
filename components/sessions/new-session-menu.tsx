'use client'

import { File, FolderOpen, Library, Sparkles } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useActions } from '@/lib/state/hooks'
import { useScreen } from '../shell/screen'
import { inFolder, pickFiles } from '../ui/files'
import { Menu, MenuItem, MenuSeparator } from '../ui/menu'

/** Asks for a folder; its dialog then says what would be taken. */
export async function pickFolder(): Promise<void> {
  const files = await pickFiles({ folder: true })
  if (files.length) useScreen.setState({ folder: inFolder(files) })
}

export function NewSessionMenu({ trigger }: Pick<ComponentProps<typeof Menu>, 'trigger'>) {
  const actions = useActions()
  return (
    <Menu trigger={trigger} className="w-72">
      <MenuItem
        icon={<Library size={14} />}
        about="Thirty files of a small project to ask about."
        onSelect={() => void actions.newSession({ kind: 'sample-workspace' })}
      >
        With the sample workspace
      </MenuItem>
      <MenuItem
        icon={<FolderOpen size={14} />}
        about="A copy in this browser; your disk is never changed."
        onSelect={() => void pickFolder()}
      >
        From a folder…
      </MenuItem>
      <MenuItem
        icon={<File size={14} />}
        onSelect={() => void actions.newSession({ kind: 'empty' })}
      >
        Empty
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Sparkles size={14} />}
        about="A long finished session with every kind of compaction."
        onSelect={() => void actions.openSample()}
      >
        Sample session
      </MenuItem>
    </Menu>
  )
}
