'use client'

import { Files, FolderOpen } from 'lucide-react'
import type { ComponentProps } from 'react'
import { useActions } from '@/lib/state/hooks'
import { pickFiles } from '../ui/files'
import { Menu, MenuItem } from '../ui/menu'

/** The importing actions, for buttons that need no menu. */
export function useImport(): { files(): Promise<void>; folder(): Promise<void> } {
  const { importFiles } = useActions()
  const pick = async (folder: boolean) => {
    const files = await pickFiles({ folder })
    if (files.length) await importFiles(files)
  }
  return { files: () => pick(false), folder: () => pick(true) }
}

export function ImportMenu({ trigger }: Pick<ComponentProps<typeof Menu>, 'trigger'>) {
  const from = useImport()
  return (
    <Menu trigger={trigger} className="w-64">
      <MenuItem
        icon={<Files size={14} />}
        about="Transcripts; dropping them on the window works too."
        onSelect={() => void from.files()}
      >
        Choose files…
      </MenuItem>
      <MenuItem icon={<FolderOpen size={14} />} onSelect={() => void from.folder()}>
        Choose a folder…
      </MenuItem>
    </Menu>
  )
}
