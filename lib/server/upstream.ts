/** Where model calls go and with whose key. Read from the environment at each call, so a test can change it. */

import 'server-only'
import { err, ok, type Result } from '../core/result'
import type { Model, ModelError } from '../ports'
import {
  ANTHROPIC_URL,
  type AnthropicOptions,
  anthropicModel,
  cleanBaseURL,
  DEFAULT_LIMITS,
  hostOf,
} from '../providers/anthropic'
import type { ProviderStatus } from '../providers/wire'

/** What the official server is asked for when nothing else was chosen. */
const OFFICIAL_MODEL = 'claude-sonnet-5-5'
const NO_ADDRESS = 'ANTHROPIC_BASE_URL of the server is not an http or https address.'
/** Printable ASCII: what can stand in a header. */
const KEY = /^[\x21-\x7e]{1,512}$/

/** A positive number of milliseconds from the environment. */
function milliseconds(text: string | undefined, fallback: number): number {
  const value = Number(text)
  return value > 0 ? value : fallback
}

function readEnvironment() {
  const {
    ANTHROPIC_API_KEY,
    ANTHROPIC_AUTH_TOKEN,
    ANTHROPIC_BASE_URL,
    ANTHROPIC_MODEL,
    PALIMPSEST_FIRST_MS,
    PALIMPSEST_IDLE_MS,
  } = process.env
  const url = ANTHROPIC_BASE_URL || ANTHROPIC_URL
  // A typing error must not send what was meant for a local server to another one.
  const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
  const baseURL = isAddress ? cleanBaseURL(url) : null
  const isOfficial = baseURL === ANTHROPIC_URL
  return {
    baseURL,
    isOfficial,
    key: ANTHROPIC_API_KEY || ANTHROPIC_AUTH_TOKEN || null,
    defaultModel: ANTHROPIC_MODEL || (isOfficial ? OFFICIAL_MODEL : undefined),
    limits: {
      first: milliseconds(PALIMPSEST_FIRST_MS, DEFAULT_LIMITS.first),
      idle: milliseconds(PALIMPSEST_IDLE_MS, DEFAULT_LIMITS.idle),
    },
  }
}

/**
 * The upstream for a request that came with `typedKey` (or none). The official server wants a key; a
 * custom one may not, and then gets a placeholder, since the SDK would look for credentials elsewhere.
 */
export function openUpstream(typedKey: string | null): Result<AnthropicOptions, ModelError> {
  const { baseURL, isOfficial, key, limits } = readEnvironment()
  if (baseURL === null) return err({ code: 'invalid-request', message: NO_ADDRESS })
  if (typedKey !== null && !KEY.test(typedKey))
    return err({ code: 'authentication', message: 'That is not a well-formed API key.' })
  const apiKey = typedKey ?? key ?? (isOfficial ? null : 'none')
  if (apiKey === null)
    return err({
      code: 'authentication',
      message: 'No API key: set ANTHROPIC_API_KEY for the server, or type a key in the settings.',
    })
  return ok({ apiKey, baseURL, limits })
}

/** The model for a request; without a usable key one that only says so. */
export function upstreamModel(typedKey: string | null): Model {
  const upstream = openUpstream(typedKey)
  if (upstream.ok) return anthropicModel(upstream.value)
  return {
    provider: 'anthropic',
    async *stream() {
      yield { type: 'error', error: upstream.error }
    },
  }
}

/** What the page may know about the server's configuration: no key, no URL. */
export function describeUpstream(): ProviderStatus {
  const { baseURL, isOfficial, key, defaultModel } = readEnvironment()
  return {
    provider: 'anthropic',
    keyConfigured: key !== null,
    ready: baseURL !== null && (key !== null || !isOfficial),
    upstream: baseURL === null ? 'no address' : hostOf(baseURL),
    ...(defaultModel === undefined ? {} : { defaultModel }),
  }
}
