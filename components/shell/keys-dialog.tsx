'use client'

import { Dialog } from '../ui/dialog'
import { Kbd } from '../ui/kbd'
import { withMod } from '../ui/keys'
import { SectionTitle } from '../ui/panel'
import { showDialog, useScreen } from './screen'

type Row = [keys: string[], does: string]

const sections = (): { title: string; rows: Row[] }[] => [
  {
    title: 'Anywhere',
    rows: [
      [[withMod('K')], 'Every command'],
      [[withMod('F')], 'Find in this session'],
      [[withMod('E')], 'Export'],
      [[withMod('B')], 'Show or hide sessions'],
      [['/'], 'Write a message'],
      [['?'], 'This list'],
    ],
  },
  {
    title: 'Message',
    rows: [
      [['Enter'], 'Send'],
      [['Shift Enter'], 'New line'],
      [['/'], 'Commands, at the start of a message'],
      [['Esc'], 'Stop the model or the compaction'],
    ],
  },
  {
    title: 'Time',
    rows: [
      [['←', '→'], 'One event back, forward'],
      [['[', ']'], 'Previous, next compaction'],
      [['Home', 'End'], 'First event, newest event'],
      [['L'], 'Back to live'],
      [['Space'], 'Play, pause'],
    ],
  },
  {
    title: 'Strata',
    rows: [
      [['←', '→', '↑', '↓'], 'Walk, up and down the layers'],
      [['Shift ←', 'Shift →'], 'Choose a range'],
      [['Enter', 'Esc'], 'Go into a block, and back'],
      [['+', '−', '0'], 'Zoom, and the whole'],
    ],
  },
  {
    title: 'Lists and panels',
    rows: [
      [['↑', '↓'], 'Move'],
      [['Shift ↑', 'Shift ↓'], 'Choose a range, in Surface'],
      [['Enter'], 'Open or select'],
      [['F2'], 'Rename a session'],
      [['Del'], 'Delete a session'],
      [['F8'], 'To the notices, to undo'],
      [['1', '…', '6'], 'Strata, surface, request, log, compare, files'],
    ],
  },
]

export function KeysDialog() {
  const open = useScreen((state) => state.dialog === 'keys')
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => showDialog(next ? 'keys' : null)}
      title="Keys"
      width="lg"
      isText
    >
      <div className="grid gap-x-8 gap-y-5 wide:grid-cols-2">
        {open
          ? sections().map(({ title, rows }) => (
              <section key={title}>
                <SectionTitle>{title}</SectionTitle>
                <dl className="m-0">
                  {rows.map(([keys, does]) => (
                    <div key={does} className="flex items-center gap-3 border-b py-1 last:border-0">
                      <dt className="flex-1">{does}</dt>
                      <dd className="m-0 flex gap-1">
                        {keys.map((key) => (
                          <Kbd key={key}>{key}</Kbd>
                        ))}
                      </dd>
                    </div>
                  ))}
                </dl>
              </section>
            ))
          : null}
      </div>
    </Dialog>
  )
}
