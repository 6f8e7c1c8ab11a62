'use client'

import { Command } from 'cmdk'
import { Dialog as Radix } from 'radix-ui'
import { useActions, useApp, useHasSession, useSession } from '@/lib/state/hooks'
import { Kbd } from '../ui/kbd'
import { useOpener } from '../ui/use-opener'
import { type Entry, useAppEntries, useSessionEntries } from './palette-entries'
import { rankEntry } from './palette-rank'
import { showDialog, useScreen } from './screen'

/** Every command by name. */
export function Palette() {
  const open = useScreen((state) => state.dialog === 'palette')
  return (
    <Radix.Root open={open} onOpenChange={(next) => showDialog(next ? 'palette' : null)}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade bg-veil" />
        <div className="contents">
          <Sheet />
        </div>
      </Radix.Portal>
    </Radix.Root>
  )
}

function Sheet() {
  const giveBack = useOpener()
  return (
    <Radix.Content
      aria-describedby={undefined}
      onCloseAutoFocus={giveBack}
      className="fixed inset-x-0 top-[10dvh] z-40 mx-auto w-[min(560px,calc(100vw-24px))] animate-rise overflow-hidden rounded-xl border border-line bg-raised shadow-float outline-none"
    >
      <Radix.Title className="sr-only">Command palette</Radix.Title>
      <Command
        label="Command palette"
        loop
        filter={(id, typed, [name = id, ...words] = []) => rankEntry(name, words, typed)}
      >
        <Command.Input
          autoFocus
          placeholder="Type a command or a session’s title"
          className="h-11 w-full border-b bg-transparent px-4 text-md outline-none"
        />
        <Command.List className="max-h-[min(420px,60dvh)] overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-ink2">
            No command has that name.
          </Command.Empty>
          <Groups />
        </Command.List>
      </Command>
    </Radix.Content>
  )
}

function Groups() {
  const inSession = useHasSession()
  return (
    <>
      {inSession ? <SessionGroup /> : null}
      <Group heading="Palimpsest" entries={useAppEntries()} />
      <OpenGroup />
    </>
  )
}

function SessionGroup() {
  const title = useSession((state) => state.title)
  return <Group heading={title || 'This session'} entries={useSessionEntries()} />
}

function OpenGroup() {
  const sessions = useApp((state) => state.sessions)
  const current = useApp((state) => state.view.session)
  const { openSession } = useActions()
  const entries = sessions
    .filter(({ id }) => id !== current)
    .slice(0, 200)
    .map(({ id, title }) => ({
      id: `open-${id}`,
      name: title || 'Untitled session',
      run: () => openSession(id),
    }))
  return entries.length ? <Group heading="Open" entries={entries} /> : null
}

function Group({ heading, entries }: { heading: string; entries: Entry[] }) {
  return (
    <Command.Group
      heading={heading}
      className="mb-1 [&_[cmdk-group-heading]]:truncate [&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pb-0.5 [&_[cmdk-group-heading]]:pt-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-semibold [&_[cmdk-group-heading]]:text-ink3"
    >
      {entries.map(({ id, name, icon, keys, words, run }) => (
        <Command.Item
          key={id}
          value={id}
          keywords={[name, ...(words ?? [])]}
          onSelect={() => {
            showDialog(null)
            run()
          }}
          className="flex h-8 cursor-default items-center gap-2.5 rounded-md px-2.5 data-[selected=true]:bg-hover"
        >
          <span className="grid w-4 place-items-center text-ink3">{icon}</span>
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {keys ? <Kbd>{keys}</Kbd> : null}
        </Command.Item>
      ))}
    </Command.Group>
  )
}
