'use client'

import { useApp } from '@/lib/state/hooks'
import { Dialog } from '../ui/dialog'
import { Tab, TabList, TabPanel, Tabs } from '../ui/tabs'
import { type SettingsTab, showDialog, useScreen } from './screen'
import { ModelSettings } from './settings-models'
import { StorageSettings } from './settings-storage'
import { CompactionSettings, GeneralSettings } from './settings-tabs'

export function SettingsDialog() {
  const open = useScreen((state) => state.dialog === 'settings')
  const tab = useScreen((state) => state.settingsTab)
  const ready = useApp((state) => state.boot === 'ready')
  return (
    <Dialog
      open={open && ready}
      onOpenChange={(next) => showDialog(next ? 'settings' : null)}
      title="Settings"
      width="lg"
    >
      <Tabs
        value={tab}
        onValueChange={(value) => useScreen.setState({ settingsTab: value as SettingsTab })}
        className="-mx-4 -mt-3.5"
      >
        <TabList label="Settings">
          <Tab value="general">General</Tab>
          <Tab value="models">Models</Tab>
          <Tab value="compaction">Compaction</Tab>
          <Tab value="storage">Storage</Tab>
        </TabList>
        <TabPanel value="general" className="px-4 pt-4">
          <GeneralSettings />
        </TabPanel>
        <TabPanel value="models" className="px-4 pt-4">
          <ModelSettings />
        </TabPanel>
        <TabPanel value="compaction" className="px-4 pt-4">
          <CompactionSettings />
        </TabPanel>
        <TabPanel value="storage" className="px-4 pt-4">
          <StorageSettings />
        </TabPanel>
      </Tabs>
    </Dialog>
  )
}
