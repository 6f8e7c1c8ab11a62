'use client'

import { CornerDownLeft, Paperclip, Pin, Square } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import { focusComposer, useScreen } from '../shell/screen'
import { Button, IconButton } from '../ui/button'
import { pickFiles } from '../ui/files'
import { Attachments } from './attachments'
import { isBusy } from './busy'
import { CommandMenu, optionId } from './command-menu'
import { type CommandSpec, parseCommand, suggestions } from './commands'
import { useCommands } from './use-commands'
import { useDraft } from './use-draft'

/** Where messages are written. Mounted once the session can be written. */
export function Composer() {
  const actions = useActions()
  const busy = useSession((state) => isBusy(state.live.phase))
  const past = useApp((state) => state.view.seq !== null)
  const dropped = useScreen((state) => state.dropped)
  const { text, files, write, add, remove, clear, putBack } = useDraft()
  const [keep, setKeep] = useState(false)
  const runCommand = useCommands()
  const menu = useCommandMenu(text, write)

  const takeDropped = useEffectEvent(() => {
    add(dropped)
    useScreen.setState({ dropped: [] })
  })
  useEffect(() => {
    if (dropped.length > 0) takeDropped()
  }, [dropped])

  useEffect(() => {
    if (useScreen.getState().awaited) focusComposer()
  }, [])

  const ready = text.trim() !== '' || files.length > 0
  const submit = () => {
    if (!ready) return
    const command = files.length === 0 ? parseCommand(text) : null
    if (command) {
      if (runCommand(command)) clear()
      return
    }
    if (past) actions.setPlayhead(null)
    void actions.send(text, [...files], { keep }).then((sent) => {
      if (sent) return
      putBack({ text, files })
      setKeep(keep)
    })
    clear()
    setKeep(false)
    useScreen.setState(({ sent }) => ({ sent: sent + 1 }))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing) return
    if (menu.onKeyDown(event)) return
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault()
      submit()
    }
  }

  return (
    <div className="relative">
      {menu.specs.length > 0 ? (
        <CommandMenu specs={menu.specs} active={menu.active} onChoose={menu.choose} />
      ) : null}
      <div className="rounded-xl border border-line2 bg-panel transition-colors focus-within:border-accent">
        <Attachments files={files} onRemove={remove} />
        <textarea
          data-composer=""
          aria-label="Message"
          aria-controls={menu.specs.length > 0 ? 'commands' : undefined}
          aria-activedescendant={
            menu.specs.length > 0 ? optionId(menu.specs[menu.active]!.name) : undefined
          }
          rows={1}
          value={text}
          placeholder={
            busy ? 'Write the next message; it waits its turn' : 'Message, or / for commands'
          }
          onChange={(event) => write(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files]
            if (pasted.length === 0) return
            event.preventDefault()
            add(pasted)
          }}
          className="field-sizing-content block max-h-[40dvh] min-h-10.5 w-full resize-none bg-transparent px-3.5 pb-1 pt-2.5 text-md leading-normal outline-none"
        />
        <div className="flex items-center gap-1.5 px-2 pb-2">
          <IconButton
            label="Attach images or text files"
            onClick={async () => {
              add(await pickFiles())
            }}
          >
            <Paperclip size={15} />
          </IconButton>
          <IconButton
            label={
              keep ? 'Will be pinned: no compaction takes it' : 'Keep this: pin it when it is sent'
            }
            aria-pressed={keep}
            onClick={() => setKeep(!keep)}
          >
            <Pin size={14} className={keep ? 'fill-current text-accent-ink' : undefined} />
          </IconButton>
          {keep ? <span className="text-sm text-accent-ink">kept</span> : null}
          <span className="ml-auto" />
          {busy ? (
            <Button onClick={actions.stop} title="Stop (Esc)">
              <Square size={11} fill="currentColor" />
              Stop
            </Button>
          ) : null}
          <Button
            tone={ready ? 'primary' : 'plain'}
            disabled={!ready}
            onClick={submit}
            title="Enter; Shift Enter for a new line"
          >
            {busy ? 'Queue' : 'Send'}
            <CornerDownLeft size={12} />
          </Button>
        </div>
      </div>
    </div>
  )
}

/** The `/` suggestions: open while a command's name is being written and Escape has not closed them. */
function useCommandMenu(text: string, write: (text: string) => void) {
  const [active, setActive] = useState(0)
  const [closedAt, setClosedAt] = useState<string | null>(null)
  const last = useRef(text)
  const specs = closedAt === text ? [] : suggestions(text)
  if (last.current !== text) {
    last.current = text
    if (active !== 0) setActive(0)
  }
  const choose = (spec: CommandSpec) => write(`/${spec.name}${spec.argument ? ' ' : ''}`)
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (specs.length === 0) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) setActive((active + step + specs.length) % specs.length)
    else if (event.key === 'Escape') setClosedAt(text)
    else if (event.key === 'Tab' || event.key === 'Enter') {
      const spec = specs[active]!
      // A whole name without need of an argument runs at once.
      if (event.key === 'Enter' && text === `/${spec.name}`) return false
      choose(spec)
    } else return false
    event.preventDefault()
    return true
  }
  return { specs, active: Math.min(active, Math.max(0, specs.length - 1)), choose, onKeyDown }
}
