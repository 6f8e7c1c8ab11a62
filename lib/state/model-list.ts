/** The models on offer, with what is known of each and who says so: the person, the server, or the table. Pure. */

import type { ServedModel } from '../providers/wire'
import { knownFacts, type ModelFacts } from './known-models'
import type { ModelInfo } from './model'
import type { OwnFacts } from './prices'

export type Fact = keyof ModelFacts
export type Source = 'yours' | 'server' | 'table'

/** In the order they are shown. */
export const FACTS = ['contextWindow', 'maxTokens', 'images', 'thinking', 'price'] as const

const servedFacts = ({ contextWindow, maxOutput, images, thinking }: ServedModel): ModelFacts => ({
  contextWindow,
  maxTokens: maxOutput,
  images,
  thinking,
})

const factOf = <F extends Fact>(fact: F, from: ModelFacts): Pick<ModelFacts, F> =>
  ({ [fact]: from[fact] }) as Pick<ModelFacts, F>

/** What would be known without the person's own words, and with them. */
function merge(served: ModelFacts, known: ModelFacts, own: ModelFacts) {
  let facts: ModelFacts = {}
  let given: ModelFacts = {}
  const sources: Partial<Record<Fact, Source>> = {}
  for (const fact of FACTS) {
    const says = (from: ModelFacts) => from[fact] !== undefined
    const other = says(served) ? served : says(known) ? known : null
    if (other) {
      given = { ...given, ...factOf(fact, other) }
      sources[fact] = other === served ? 'server' : 'table'
    }
    const best = says(own) ? own : other
    if (best) facts = { ...facts, ...factOf(fact, best) }
    if (best === own) sources[fact] = 'yours'
  }
  return { facts, given, sources }
}

const infoOf = (served: ServedModel, own: ModelFacts): ModelInfo => {
  const { facts, given, sources } = merge(servedFacts(served), knownFacts(served.id), own)
  const { id, name } = served
  return { provider: 'anthropic', id, label: name ?? id, ...facts, given, sources }
}

/** The server's models in its order, then those only the person described. */
export function modelsOf(served: readonly ServedModel[], own: OwnFacts): ModelInfo[] {
  const listed = new Set(served.map(({ id }) => id))
  const added = Object.keys(own).filter((id) => !listed.has(id))
  return [...served, ...added.map((id) => ({ id }))].map((model) =>
    infoOf(model, Object.hasOwn(own, model.id) ? (own[model.id] ?? {}) : {}),
  )
}

/** One of the list, or what is known of a model that is not on it: a server may list none of its own. */
export function infoFor(
  models: readonly ModelInfo[],
  provider: string,
  id: string,
  own: OwnFacts,
): ModelInfo | undefined {
  const listed = models.find((model) => model.provider === provider && model.id === id)
  return listed ?? (provider === 'anthropic' ? modelsOf([{ id }], own)[0] : undefined)
}

/** `own` with these facts of a model; one without any is forgotten. */
export function withOwn(own: OwnFacts, id: string, facts: ModelFacts): OwnFacts {
  const { [id]: _, ...others } = own
  const said = FACTS.filter((fact) => facts[fact] !== undefined)
  if (said.length === 0) return others
  return { ...others, [id]: Object.assign({}, ...said.map((fact) => factOf(fact, facts))) }
}

/**
 * The longest reply to ask for: the person's word whole; a server's only while it leaves most of the window
 * free, for some name the window itself, and nothing could be sent then.
 */
export function replyOf({ sources, maxTokens, contextWindow }: ModelInfo): number | undefined {
  if (sources?.maxTokens === 'yours' || maxTokens === undefined || !contextWindow) return maxTokens
  return maxTokens > contextWindow / 2 ? Math.floor(contextWindow / 4) : maxTokens
}

/** The list with the server's own choice (`ANTHROPIC_MODEL`) first, listed or not. */
export function choiceFirst(served: readonly ServedModel[], choice?: string): ServedModel[] {
  if (!choice) return [...served]
  const chosen = served.find(({ id }) => id === choice) ?? { id: choice }
  return [chosen, ...served.filter(({ id }) => id !== choice)]
}
