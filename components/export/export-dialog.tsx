'use client'

import { useActions } from '@/lib/state/hooks'
import { canPickFile, pickFile } from '@/lib/state/save'
import { showDialog, useScreen } from '../shell/screen'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { Name, plainName } from '../ui/name'
import { FormatDetails } from './format-details'
import { FormatList } from './format-list'
import { Secrets } from './secrets'
import { type ExportForm, useExportForm } from './use-export-form'

/** Everything can be carried away: in which format, how much of it, with or without its secrets. */
export function ExportDialog() {
  const open = useScreen((state) => state.dialog === 'export')
  return open ? <Sheet /> : null
}

const close = () => showDialog(null)

function Sheet() {
  const form = useExportForm()
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && close()}
      title="Export"
      about="Written straight to a file. Nothing leaves this computer."
      width="lg"
      footer={<Foot form={form} />}
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-col gap-4 wide:flex-row wide:gap-6">
          <div className="wide:w-60 wide:shrink-0">
            <FormatList {...form} />
          </div>
          <FormatDetails form={form} />
        </div>
        <Secrets form={form} />
      </div>
    </Dialog>
  )
}

/** The file's name, and the ways to get it. Without having looked, nothing is taken out, so nothing is saved. */
function Foot({ form: { format, options, clean, found } }: { form: ExportForm }) {
  const actions = useActions()
  const { name, type } = actions.exportName(format, options)
  const waits = clean && found === null
  const pickable = canPickFile()
  const download = () => {
    close()
    void actions.exportSession(format, options)
  }
  const saveAs = async () => {
    // Where the browser refuses to ask, as in some frames, it is a download like any other.
    const file = await pickFile(name, type).catch(() => undefined)
    if (file === null) return
    close()
    void actions.exportSession(format, file ? { ...options, file } : options)
  }
  return (
    <>
      <span
        className="min-w-0 flex-1 basis-full truncate font-mono text-sm text-ink2 wide:basis-0"
        title={plainName(name)}
      >
        {waits ? 'Look for secrets first' : <Name>{name}</Name>}
      </span>
      <Button className="ml-auto" onClick={close}>
        Cancel
      </Button>
      {pickable ? (
        <Button disabled={waits} onClick={() => void saveAs()}>
          Save as…
        </Button>
      ) : null}
      <Button tone="primary" disabled={waits} onClick={download}>
        Download
      </Button>
    </>
  )
}
