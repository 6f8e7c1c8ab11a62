/** What to say and offer when the agent cannot go on: one entry for each kind of failure. Pure. */

export type WayOut =
  | 'model'
  | 'settings'
  | 'request'
  | 'tools'
  | 'edit'
  | 'compact'
  | 'storage'
  | 'copy'
  | 'reload'

/** Whether the same thing may be asked again: at once, once something of it has changed, or not at all. */
export type Again = 'now' | 'once-changed' | 'never'

export type ProblemWords = {
  title: string
  /** What would help, in a sentence or two; the failure's own message stands above it. */
  help: string
  again: Again
  ways: WayOut[]
}

const KINDS: Readonly<Record<string, ProblemWords>> = {
  authentication: {
    title: 'The provider did not accept the key',
    help: 'Enter another key, or correct ANTHROPIC_API_KEY and start the server again.',
    again: 'now',
    ways: ['settings'],
  },
  permission: {
    title: 'The key may not do this',
    help: 'Choose a model the key is allowed to use, or another key.',
    again: 'now',
    ways: ['model', 'settings'],
  },
  billing: {
    title: 'The provider’s account cannot pay for this',
    help: 'Add credit with the provider, then try again; or use another key.',
    again: 'now',
    ways: ['settings', 'model'],
  },
  'not-found': {
    title: 'The provider does not know this model or address',
    help: 'Choose one it lists. A local server may have to pull or load it first, and a wrong ANTHROPIC_BASE_URL looks the same.',
    again: 'now',
    ways: ['model'],
  },
  'invalid-request': {
    title: 'This request is refused as it stands',
    help: 'Sent again unchanged it would be refused again. Change what the reason names: the model, its thinking and limits, or the message.',
    again: 'once-changed',
    ways: ['request', 'model', 'edit'],
  },
  overflow: {
    title: 'The request does not fit the model’s window',
    help: 'Compact the session, ask for a shorter reply, or choose a model with a larger window. Then it can be tried again.',
    again: 'once-changed',
    ways: ['compact', 'request', 'model'],
  },
  'rate-limit': {
    title: 'Too many requests for now',
    help: 'The provider counts requests and tokens by the minute. It was asked three times; wait a little before the next.',
    again: 'now',
    ways: ['model'],
  },
  overloaded: {
    title: 'The provider is overloaded',
    help: 'This is about everybody’s requests, not yours, and usually passes within minutes.',
    again: 'now',
    ways: ['model'],
  },
  server: {
    title: 'The provider had an internal error',
    help: 'Trying again often helps. If it does not, another model may.',
    again: 'now',
    ways: ['model'],
  },
  network: {
    title: 'The provider could not be reached',
    help: 'The Palimpsest server runs, but has no connection to the provider. Is that running, and is ANTHROPIC_BASE_URL right?',
    again: 'now',
    ways: ['model'],
  },
  stalled: {
    title: 'The reply stopped arriving',
    help: 'What had arrived is kept. A local model that reads a long prompt slowly wants a longer PALIMPSEST_FIRST_MS.',
    again: 'now',
    ways: ['model'],
  },
  unreachable: {
    title: 'The Palimpsest server does not answer',
    help: 'Start it again where it runs. This page keeps everything meanwhile.',
    again: 'now',
    ways: [],
  },
  restarted: {
    title: 'The Palimpsest server was restarted',
    help: 'What had arrived is kept; the reply can go on from there.',
    again: 'now',
    ways: [],
  },
  offline: {
    title: 'This browser is offline',
    help: 'Try again once the connection is back. The offline reader needs none.',
    again: 'now',
    ways: ['model'],
  },
  access: {
    title: 'The server wants its access token again',
    help: 'Reloading asks for it. Your sessions stay in this browser.',
    again: 'never',
    ways: ['reload'],
  },
  outdated: {
    title: 'This page is older than the server',
    help: 'Reloading brings the new one. Your sessions stay in this browser.',
    again: 'now',
    ways: ['reload'],
  },
  'automatic-stopped': {
    title: 'Automatic compaction has stopped',
    help: 'Compact by hand, or choose a model with a larger window.',
    again: 'never',
    ways: ['compact', 'model'],
  },
  'journal-quota': {
    title: 'This browser’s storage is full',
    help: 'Make room under Storage, then try again. What is not stored yet waits on this page: do not close it.',
    again: 'now',
    ways: ['storage', 'copy'],
  },
  'journal-failed': {
    title: 'The log could not be written',
    help: 'What is not stored yet waits on this page: do not close it.',
    again: 'now',
    ways: ['storage', 'copy'],
  },
  'journal-closed': {
    title: 'This page may no longer write',
    help: 'Save a copy if something here matters: what is not stored is in it. Then reload, to go on from what is stored.',
    again: 'never',
    ways: ['copy', 'reload'],
  },
  'journal-epoch': {
    title: 'Another tab took over this session',
    help: 'Go on there, or write here instead.',
    again: 'never',
    ways: [],
  },
}

const OTHER: ProblemWords = {
  title: 'Something went wrong',
  help: 'This is a fault of Palimpsest itself. What is stored is safe; reloading starts from there.',
  again: 'now',
  ways: ['reload'],
}

/** How servers say that a model takes no tools (Ollama, vLLM, llama.cpp, OpenRouter). */
const NO_TOOLS =
  /not support (?:tools|tool use|function)|enable-auto-tool-choice|tools? (?:param|choice)[^.]* requires? --jinja/i
/** How they say that it takes no images. */
const NO_IMAGES =
  /not support (?:images?|image input|vision|multimodal)|not a multimodal model|mmproj/i

/** Words for `Live.problem`; its own message may tell more precisely what helps. */
export function problemWords(code: string, message = ''): ProblemWords {
  const words = Object.hasOwn(KINDS, code) ? KINDS[code]! : OTHER
  if (code !== 'invalid-request' && code !== 'server') return words
  if (NO_TOOLS.test(message))
    return {
      title: 'This model takes no tools',
      help: 'Go on without them, or choose a model that has learnt to use tools.',
      again: 'once-changed',
      ways: ['tools', 'model'],
    }
  if (NO_IMAGES.test(message))
    return {
      title: 'This model takes no images',
      help: 'Choose one that does, or write the message again without them.',
      again: 'once-changed',
      ways: ['model', 'edit'],
    }
  return words
}
