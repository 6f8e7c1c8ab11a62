'use client'

import { create } from 'zustand'
import { thresholdOf } from '@/lib/core/policy'
import { useActions, useReading, useSession } from '@/lib/state/hooks'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { exact, short } from '../ui/format'
import { Name, plainName } from '../ui/name'

/** What is reserved for a reply where nobody says otherwise, in tokens. */
const LONGEST_REPLY = 8192

type Target = {
  provider: string
  id: string
  contextWindow?: number | undefined
  maxTokens?: number | undefined
}

/** A switch that waits for an answer: what the session holds does not fit the model. */
const usePending = create<{ target: Target | null }>()(() => ({ target: null }))

/** Switches the session's model, after asking where its window is too small for what the session holds. */
export function useModelSwitch(): (target: Target) => void {
  const { chooseModel } = useActions()
  const chosen = useSession((state) => state.chosen)
  const reading = useReading()
  return (target) => {
    const { provider, id, contextWindow, maxTokens } = target
    const limit = thresholdOf(chosen.policy, contextWindow, maxTokens ?? LONGEST_REPLY)
    const isOther = provider !== chosen.provider || id !== chosen.model
    if (isOther && limit !== undefined && reading.total > limit) usePending.setState({ target })
    else
      chooseModel(provider, id, {
        ...(contextWindow ? { contextWindow } : {}),
        ...(maxTokens ? { maxTokens } : {}),
      })
  }
}

/** Asks before a switch to a window that is too small: the old model can still read all of it. */
export function ModelSwitch() {
  const target = usePending((state) => state.target)
  return target ? <Question target={target} /> : null
}

function Question({ target }: { target: Target }) {
  const actions = useActions()
  const chosen = useSession((state) => state.chosen)
  const reading = useReading()
  const close = () => usePending.setState({ target: null })
  const choose = () =>
    actions.chooseModel(target.provider, target.id, {
      ...(target.contextWindow ? { contextWindow: target.contextWindow } : {}),
      ...(target.maxTokens ? { maxTokens: target.maxTokens } : {}),
    })
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && close()}
      title={`${plainName(target.id)} has a smaller window`}
      width="sm"
      footer={
        <>
          <Button className="ml-auto" onClick={close}>
            Keep <Name>{chosen.model}</Name>
          </Button>
          <Button
            onClick={() => {
              close()
              choose()
            }}
          >
            Switch now
          </Button>
          <Button
            tone="primary"
            onClick={() => {
              close()
              void actions.compact().then(choose)
            }}
          >
            Compact, then switch
          </Button>
        </>
      }
    >
      <p className="m-0">
        The session holds {exact(reading.total)} tokens; this model’s window takes{' '}
        {short(target.contextWindow ?? 0)}. <Name>{chosen.model}</Name> can still read all of it and
        write the summary. If you switch now, the same happens by itself before the next request.
      </p>
    </Dialog>
  )
}
