'use client'

import { FileText, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useApp, useSession } from '@/lib/state/hooks'
import { IconButton } from '../ui/button'
import { bytes } from '../ui/format'
import { Name } from '../ui/name'

/** Files that go with the next message, before it is sent. */
export function Attachments({
  files,
  onRemove,
}: {
  files: readonly File[]
  onRemove(file: File): void
}) {
  const isBlind = useIsBlind()
  if (files.length === 0) return null
  const unseen = isBlind && files.some(({ type }) => type.startsWith('image/'))
  return (
    <>
      <ul aria-label="Attachments" className="m-0 flex list-none flex-wrap gap-1.5 px-2.5 pt-2.5">
        {files.map((file, i) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: two files may share every visible property
            key={`${file.name} ${i}`}
            className="flex items-center gap-2 rounded-md border bg-paper py-1 pl-1.5 pr-1"
          >
            {file.type.startsWith('image/') ? (
              <Preview file={file} />
            ) : (
              <FileText size={16} className="text-ink3" aria-hidden="true" />
            )}
            <span className="max-w-44 truncate">
              <Name>{file.name || 'pasted image'}</Name>
            </span>
            <span className="mono text-ink3">{bytes(file.size)}</span>
            <IconButton size="sm" label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
              <X size={12} />
            </IconButton>
          </li>
        ))}
      </ul>
      {unseen ? (
        <p role="status" className="m-0 px-3 pt-1.5 text-sm text-call-ink">
          This model takes no images, as far as is known. Choose another, or correct it under
          Settings, Models.
        </p>
      ) : null}
    </>
  )
}

/** Whether the chosen model is known to take no images. */
function useIsBlind(): boolean {
  const { provider, model } = useSession((state) => state.chosen)
  return useApp((state) =>
    state.models.some(
      (one) => one.provider === provider && one.id === model && one.images === false,
    ),
  )
}

function Preview({ file }: { file: File }) {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  // biome-ignore lint/performance/noImgElement: a local object URL, nothing to optimise
  return url ? <img src={url} alt="" className="size-8 rounded-sm object-cover" /> : null
}
