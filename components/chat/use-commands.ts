'use client'

import { useActions, useAppInstance, useSession } from '@/lib/state/hooks'
import { showDialog, showExport } from '../shell/screen'
import { type Command, exportFormat } from './commands'

/** Runs a slash command. False when it lacks what it needs and the text should stay. */
export function useCommands(): (command: Command) => boolean {
  const actions = useActions()
  const { store } = useAppInstance()
  const id = useSession((state) => state.id)
  const turns = useSession((state) => state.timeline.turns)
  return ({ name, argument }) => {
    switch (name) {
      case 'compact':
        void actions.compact(argument || undefined)
        return true
      case 'fork': {
        const end = turns.findLast((turn) => turn.end !== null)?.end
        if (end === undefined || end === null) return false
        void actions.fork(end)
        return true
      }
      case 'export':
        showExport(exportFormat(argument) ?? undefined)
        return true
      case 'model': {
        if (!argument) {
          showDialog('custom-model')
          return true
        }
        const known = store.getState().models.find((model) => model.id === argument)
        actions.chooseModel(known?.provider ?? 'anthropic', argument)
        return true
      }
      case 'rename':
        if (!argument) return false
        void actions.rename(id, argument)
        return true
    }
  }
}
