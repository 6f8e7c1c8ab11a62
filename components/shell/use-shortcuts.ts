'use client'

import { useEffect, useEffectEvent } from 'react'
import { useActions, useHasSession } from '@/lib/state/hooks'
import type { Panel } from '@/lib/state/model'
import { hasMod, isTyping } from '../ui/keys'
import { focusComposer, showDialog, showExport, useScreen } from './screen'
import { useSessionStatus } from './session-status'

const PANELS: Panel[] = ['strata', 'surface', 'request', 'log', 'compare', 'files']

/** Keys that work anywhere. Those of one letter stay out of text fields and dialogs. */
export function useShortcuts(onToggleSessions: () => void): void {
  const open = useHasSession()
  const status = useSessionStatus()
  const full = status !== null && status !== 'missing'
  const { setPanel } = useActions()
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const done = () => event.preventDefault()
    if (hasMod(event) && !event.shiftKey && !event.altKey) {
      const key = event.key.toLowerCase()
      if (key === 'k') {
        showDialog(useScreen.getState().dialog === 'palette' ? null : 'palette')
        done()
      } else if (key === 'f' && open && !useScreen.getState().dialog) {
        useScreen.setState({ finding: true, pane: 'chat' })
        done()
      } else if (key === 'e' && full && !useScreen.getState().dialog) {
        showExport()
        done()
      } else if (key === 'b' && !isTyping(event.target)) {
        onToggleSessions()
        done()
      }
      return
    }
    if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
    if (useScreen.getState().dialog) return
    if (event.key === '?') {
      showDialog('keys')
      done()
    } else if (event.key === '/' && open) {
      useScreen.setState({ pane: 'chat' })
      requestAnimationFrame(focusComposer)
      done()
    } else if (open && /^[1-6]$/.test(event.key)) {
      setPanel(PANELS[Number(event.key) - 1]!)
      useScreen.setState({ pane: 'inspector' })
      done()
    }
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
