'use client'

import { ChevronDown, CircleAlert, RefreshCw, Settings2, SlidersHorizontal } from 'lucide-react'
import { useActions, useApp, useSession } from '@/lib/state/hooks'
import type { ModelInfo } from '@/lib/state/model'
import { replyOf } from '@/lib/state/model-list'
import { cx } from '../ui/cx'
import { money, short } from '../ui/format'
import { Menu, MenuCheck, MenuItem, MenuLabel, MenuSeparator } from '../ui/menu'
import { Name, plainName } from '../ui/name'
import { useModelSwitch } from './model-switch'
import { showDialog, showSettings } from './screen'

/** One line on what a model can hold and costs. */
export function aboutModel(model: ModelInfo): string {
  const window = model.contextWindow ? `${short(model.contextWindow)} window` : 'window unknown'
  const price = model.price
    ? ` · ${money(model.price.input)} in, ${money(model.price.output)} out per million`
    : ''
  const yours = Object.values(model.sources ?? {}).includes('yours') ? ' · figures of yours' : ''
  const what = `${window}${price}${yours}`
  return model.about ? `${model.about} · ${what}` : what
}

/** What keeps real models away, in words, or null when they are there. */
export function useServerProblem(): string | null {
  const server = useApp((state) => state.server)
  if (!server) return 'Asking the server which models it has…'
  if (!server.reachable)
    return `${server.problem ?? 'The server does not answer.'} The offline reader works without it.`
  if (!server.keyConfigured)
    return 'Real models need a key: set ANTHROPIC_API_KEY on the server or enter one in settings.'
  return null
}

/** Which model the next step uses; names what is missing for real ones. */
export function ModelMenu() {
  const chosen = useSession((state) => state.chosen)
  const writer = useSession((state) => state.role === 'writer')
  const models = useApp((state) => state.models)
  const upstream = useApp((state) => state.server?.upstream)
  const unlisted = useApp((state) => state.server?.listProblem)
  const problem = useServerProblem()
  const actions = useActions()
  const builtIn = models.filter((model) => model.provider === 'offline')
  const remote = models.filter((model) => model.provider !== 'offline')
  const current = models.find((m) => m.id === chosen.model && m.provider === chosen.provider)
  return (
    <Menu
      className="w-80"
      trigger={
        <button
          type="button"
          aria-label={`Model: ${plainName(current?.label ?? chosen.model)}`}
          disabled={!writer}
          className="mono flex h-7 min-w-0 max-w-56 shrink items-center gap-1.5 rounded-md border border-line px-2.5 text-ink2 hover:bg-hover"
        >
          <span className="truncate">
            <Name>{current?.label ?? chosen.model}</Name>
          </span>
          <ChevronDown size={12} className="shrink-0" />
        </button>
      }
    >
      <MenuLabel>In this browser</MenuLabel>
      <ModelItems models={builtIn} />
      <MenuSeparator />
      <MenuLabel>{upstream ? `From ${upstream}` : 'From the server'}</MenuLabel>
      <ModelItems models={remote} />
      {problem ? (
        <MenuItem
          icon={<CircleAlert size={14} />}
          about={problem}
          onSelect={() => showSettings('models')}
        >
          {remote.length ? 'Not ready' : 'No models yet'}
        </MenuItem>
      ) : null}
      {!problem && remote.length === 0 && unlisted ? (
        <MenuItem
          icon={<CircleAlert size={14} />}
          about={unlisted}
          onSelect={() => showDialog('custom-model')}
        >
          It lists no models
        </MenuItem>
      ) : null}
      <MenuItem icon={<RefreshCw size={13} />} onSelect={() => void actions.refreshServer()}>
        Ask the server again
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={<SlidersHorizontal size={13} />} onSelect={() => showDialog('custom-model')}>
        Another model…
      </MenuItem>
      <MenuItem icon={<Settings2 size={13} />} onSelect={() => showDialog('session-settings')}>
        Prompt, thinking and limits…
      </MenuItem>
    </Menu>
  )
}

function ModelItems({ models }: { models: ModelInfo[] }) {
  const chosen = useSession((state) => state.chosen)
  const switchTo = useModelSwitch()
  return models.map((model) => (
    <MenuCheck
      key={`${model.provider}/${model.id}`}
      checked={model.id === chosen.model && model.provider === chosen.provider}
      about={<span className={cx('line-clamp-2')}>{aboutModel(model)}</span>}
      onSelect={() =>
        switchTo({
          provider: model.provider,
          id: model.id,
          contextWindow: model.contextWindow,
          maxTokens: replyOf(model),
        })
      }
    >
      <Name>{model.label}</Name>
    </MenuCheck>
  ))
}
