'use client'

import { ScanEye } from 'lucide-react'
import { useSession } from '@/lib/state/hooks'
import { Button, IconButton } from '../ui/button'
import { count } from '../ui/format'
import { useChatView } from './chat-view'
import { useSettledPast } from './settled-past'

const show = (model: boolean) => () => useChatView.setState({ model })

/** Turns the chat into what the model sees. It stands below the text, never over it. */
export function ViewSwitch() {
  const model = useChatView((state) => state.model)
  const empty = useSession((state) => state.transcript.nodes.length === 0)
  if (empty || model) return null
  return (
    <IconButton size="sm" label="Only what the model sees" onClick={show(true)}>
      <ScanEye size={14} />
    </IconButton>
  )
}

/** Says that only what the model sees is shown, and leads back. */
export function ViewBar() {
  const model = useChatView((state) => state.model)
  const empty = useSession((state) => state.transcript.nodes.length === 0)
  return model && !empty ? <ModelBar /> : null
}

function ModelBar() {
  const past = useSettledPast()
  const nodes = useSession((state) => state.log.history.sizeAt(past ?? state.version - 1))
  return (
    <div
      data-testid="model-view"
      data-nodes={nodes}
      className="flex shrink-0 items-center gap-3 border-b bg-panel px-4 py-1.5"
    >
      <p className="m-0 min-w-0 flex-1 text-ink2">
        <span className="font-[550] text-ink">
          {past === null ? 'What the model sees' : 'What the model saw'}
        </span>
        : {count(nodes, 'node')}, records in place of what they stand for.
      </p>
      <Button size="sm" onClick={show(false)}>
        Whole conversation
      </Button>
    </div>
  )
}
