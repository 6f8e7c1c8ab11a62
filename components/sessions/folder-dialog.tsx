'use client'

import { useState } from 'react'
import { useActions } from '@/lib/state/hooks'
import { useScreen } from '../shell/screen'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { type FileInPath, sortFolder } from '../ui/files'
import { bytes, count } from '../ui/format'
import { Name } from '../ui/name'
import { Spinner } from '../ui/spinner'

const close = () => useScreen.setState({ folder: null })

/** Says what of a picked folder becomes the workspace before anything is copied. */
export function FolderDialog() {
  const folder = useScreen((state) => state.folder)
  return folder ? <Confirm folder={folder} /> : null
}

function Confirm({ folder }: { folder: FileInPath[] }) {
  const { newSession } = useActions()
  const [reading, setReading] = useState(false)
  const { taken, left } = sortFolder(folder)
  const size = taken.reduce((sum, { file }) => sum + file.size, 0)
  const start = async () => {
    setReading(true)
    const files = await Promise.all(
      taken.map(async ({ path, file }) => ({
        path,
        data: new Uint8Array(await file.arrayBuffer()),
      })),
    )
    close()
    await newSession({ kind: 'files', files })
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title="Start with these files"
      about="They are copied into this browser; the tools work on the copy."
      width="sm"
      footer={
        <>
          <Button className="ml-auto" onClick={close}>
            Cancel
          </Button>
          <Button tone="primary" disabled={reading || taken.length === 0} onClick={start}>
            {reading ? <Spinner /> : null}
            Start session
          </Button>
        </>
      }
    >
      <p className="m-0 font-[550]">
        {count(taken.length, 'file')}, {bytes(size)}
      </p>
      <ul className="mono m-0 mt-2 list-none p-0 text-ink2">
        {taken.slice(0, 6).map(({ path }) => (
          <li key={path} className="truncate">
            <Name>{path}</Name>
          </li>
        ))}
        {taken.length > 6 ? <li className="text-ink3">and {taken.length - 6} more</li> : null}
      </ul>
      {left.map(({ reason, count: n }) => (
        <p key={reason} className="m-0 mt-2 text-ink2">
          Left out: {count(n, 'file')} {reason}.
        </p>
      ))}
    </Dialog>
  )
}
