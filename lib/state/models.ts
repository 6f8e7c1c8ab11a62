/** Which models there are, and which door leads to each. */

import type { RequestHeader } from '../core/event'
import type { RequestBody } from '../core/request'
import type { Result } from '../core/result'
import type { Clock, Model, ModelError } from '../ports'
import { OFFLINE_INFO, offlineModel } from '../providers/offline'
import {
  actionModel,
  countTokens,
  endAccess,
  listModels,
  readStatus,
  remoteModel,
  type SummaryAction,
} from '../providers/remote'
import { createSlots, withSlots } from '../providers/slots'
import { templateModel } from '../providers/template'
import type { ServedModel } from '../providers/wire'
import { getBlob } from '../storage/blobs'
import type { Database } from '../storage/db'
import type { ModelInfo, ServerStatus, Settings } from './model'
import { choiceFirst } from './model-list'

/** How long a count may take, in ms. */
const COUNT_MS = 30_000

/** What the page hands in: the summarising server action (app/actions.ts). */
export type Doors = { summarise: SummaryAction }

export const OFFLINE: ModelInfo = {
  provider: OFFLINE_INFO.provider,
  id: OFFLINE_INFO.model,
  label: OFFLINE_INFO.label,
  about: OFFLINE_INFO.about,
  contextWindow: OFFLINE_INFO.contextWindow,
  maxTokens: OFFLINE_INFO.maxTokens,
}

type Around = {
  /** A key the person typed for this browser session. */
  key(): string | null
  clock: Clock
  db(): Database
  settings(): Settings
}

export type ModelDoors = {
  model(provider: string): Model
  /** The offline reader has no model of its own that could summarise; the template stands in. */
  summariser(header: RequestHeader): Model
  /** The provider's own count of a request's input tokens. */
  count(body: RequestBody): Promise<Result<number, ModelError>>
  /** Has the server forget this browser (it then wants its access token again); why it could not, or null. */
  endAccess(): Promise<ModelError | null>
  /** How the server is, and the models it lists. */
  list(): Promise<{ server: ServerStatus; served: ServedModel[] }>
}

export function modelDoors({ summarise }: Doors, { key, clock, db, settings }: Around): ModelDoors {
  const remote = {
    key,
    resolveBlob: async (hash: string) => {
      const blob = await getBlob(db(), hash)
      return blob && new Blob([blob.bytes], { type: blob.mediaType })
    },
  }
  const slots = createSlots(navigator.locks)
  const chat = withSlots(remoteModel(remote), slots)
  const summaries = withSlots(
    actionModel({ ...remote, action: summarise, newId: () => crypto.randomUUID() }),
    slots,
  )
  const offline = offlineModel({ clock })
  const template = templateModel()

  return {
    model: (provider) => (provider === OFFLINE.provider ? offline : chat),
    summariser: ({ provider }) =>
      provider === OFFLINE.provider || settings().summaries === 'template' ? template : summaries,
    count: (body) => countTokens(remote, body, AbortSignal.timeout(COUNT_MS)),
    async endAccess() {
      const ended = await endAccess()
      return ended.ok ? null : ended.error
    },
    async list() {
      const status = await readStatus(remote)
      if (!status.ok) {
        const problem = status.error.message
        const server = {
          reachable: false,
          problem,
          keyConfigured: false,
          upstream: null,
          guarded: false,
        }
        return { server, served: [] }
      }
      const server: ServerStatus = {
        reachable: true,
        keyConfigured: status.value.ready || key() !== null,
        upstream: status.value.upstream,
        guarded: status.value.guarded === true,
      }
      const listed = server.keyConfigured ? await listModels(remote) : null
      if (!listed) return { server, served: [] }
      const { models, problem } = listed.ok ? listed.value : { models: [], problem: listed.error }
      const listProblem = problem && { listProblem: problem.message }
      const served = choiceFirst(models, status.value.defaultModel)
      return { server: { ...server, ...listProblem }, served }
    },
  }
}
