'use client'

import { Braces, CodeXml, Download, Terminal } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { bytes } from '@/components/ui/format'
import type { RequestBody } from '@/lib/core/request'
import { type RequestProof, useActions } from '@/lib/state/hooks'
import { saveStream } from '@/lib/state/save'
import { codeOf, curlOf, isCopied } from './parts'

type Form = {
  label: string
  icon: ReactNode
  extension: string
  type: string
  textOf(body: RequestBody): string
}

const FORMS: Form[] = [
  {
    label: 'JSON',
    icon: <Braces size={12} />,
    extension: 'json',
    type: 'application/json',
    textOf: (body) => JSON.stringify(body, null, 2),
  },
  {
    label: 'curl',
    icon: <Terminal size={12} />,
    extension: 'sh',
    type: 'application/x-sh',
    textOf: curlOf,
  },
  {
    label: 'SDK',
    icon: <CodeXml size={12} />,
    extension: 'ts',
    type: 'text/plain',
    textOf: codeOf,
  },
]

/** The request to take along, its media in it; `weight` in bytes. What no clipboard should hold is saved. */
export function TakeAlong({ proof, weight }: { proof: RequestProof; weight: number }) {
  const { wholeRequest } = useActions()
  const [problem, setProblem] = useState<string | null>(null)
  const isCopy = isCopied(weight)
  const take = async ({ textOf, extension, type }: Form) => {
    setProblem(null)
    const text = wholeRequest(proof.body).then(textOf)
    try {
      if (isCopy) await copyLater(text)
      else
        await saveStream(new Blob([await text]).stream(), `request-${proof.seq}.${extension}`, type)
      return true
    } catch (error) {
      // The clipboard says no in words of its own; a missing image is what the other promise rejects with.
      const why = await text.then(() => error).catch((cause: unknown) => cause)
      setProblem(why instanceof Error ? why.message : String(why))
      return false
    }
  }
  return (
    <>
      {FORMS.map((form) => (
        <TakeButton key={form.label} form={form} isCopy={isCopy} onTake={() => take(form)} />
      ))}
      {isCopy ? null : (
        <p className="m-0 w-full text-ink2">
          {bytes(weight)} with its media: too large for the clipboard, so it is saved as a file.
        </p>
      )}
      {problem ? (
        <p role="alert" className="m-0 w-full text-err-ink [overflow-wrap:anywhere]">
          {problem}
        </p>
      ) : null}
    </>
  )
}

/** Text that is still being made is promised to the clipboard while the click lasts. */
const copyLater = (text: Promise<string>): Promise<void> =>
  navigator.clipboard.write([
    new ClipboardItem({
      'text/plain': text.then((all) => new Blob([all], { type: 'text/plain' })),
    }),
  ])

function TakeButton({
  form,
  isCopy,
  onTake,
}: {
  form: Form
  isCopy: boolean
  onTake(): Promise<boolean>
}) {
  const [said, setSaid] = useState<string | null>(null)
  useEffect(() => {
    if (!said) return
    const timer = setTimeout(() => setSaid(null), 1600)
    return () => clearTimeout(timer)
  }, [said])
  const done = isCopy ? 'Copied' : 'Saved'
  return (
    <Button
      size="sm"
      onClick={() => void onTake().then((isDone) => setSaid(isDone ? done : 'Failed'))}
      aria-label={`${isCopy ? 'Copy' : 'Save'} as ${form.label}`}
    >
      {isCopy ? form.icon : <Download size={12} />}
      {said ?? form.label}
    </Button>
  )
}
