'use client'

import { Panel } from '@/components/ui/panel'
import { Tab, TabList, TabPanel, Tabs } from '@/components/ui/tabs'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import type { Panel as PanelName } from '@/lib/state/model'
import { ComparePanel } from './compare/compare-panel'
import { FilesPanel } from './files/files-panel'
import { LogPanel } from './log/log-panel'
import { RequestPanel } from './request/request-panel'
import { StrataPanel } from './strata/strata-panel'
import { SurfacePanel } from './surface/surface-panel'

const PANELS: { name: PanelName; label: string; View: () => React.ReactNode }[] = [
  { name: 'strata', label: 'Strata', View: StrataPanel },
  { name: 'surface', label: 'Surface', View: SurfacePanel },
  { name: 'request', label: 'Request', View: RequestPanel },
  { name: 'log', label: 'Log', View: LogPanel },
  { name: 'compare', label: 'Compare', View: ComparePanel },
  { name: 'files', label: 'Files', View: FilesPanel },
]

/** Everything about the session at the playhead, one view at a time. */
export function Inspector() {
  const panel = useApp((state) => state.view.panel)
  const session = useSession((state) => state.id)
  const { setPanel } = useActions()
  return (
    <Panel aria-label="Inspector" data-testid="inspector" data-panel={panel}>
      <Tabs className="h-full" value={panel} onValueChange={(next) => setPanel(next as PanelName)}>
        <div data-inspector-tabs>
          <TabList label="Inspector">
            {PANELS.map(({ name, label }) => (
              <Tab key={name} value={name}>
                {label}
              </Tab>
            ))}
          </TabList>
        </div>
        {PANELS.map(({ name, View }) => (
          <TabPanel key={name} value={name}>
            <View key={session} />
          </TabPanel>
        ))}
      </Tabs>
    </Panel>
  )
}
