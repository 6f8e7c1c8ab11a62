/** What to say and offer when the agent cannot go on. Pure. */

export type WayOut = 'retry' | 'model' | 'settings' | 'compact' | 'storage' | 'reload'

export type ProblemWords = { title: string; ways: WayOut[] }

/** Words for `Live.problem.code`; its message is shown beneath them. */
export function problemWords(code: string): ProblemWords {
  switch (code) {
    case 'authentication':
      return { title: 'The provider did not accept the key', ways: ['settings', 'retry'] }
    case 'permission':
      return { title: 'The key may not use this model', ways: ['model', 'settings', 'retry'] }
    case 'billing':
      return { title: 'The provider’s account cannot pay for this', ways: ['model', 'retry'] }
    case 'not-found':
      return { title: 'The provider does not know this model', ways: ['model', 'retry'] }
    case 'rate-limit':
      return { title: 'Too many requests for now', ways: ['retry', 'model'] }
    case 'overloaded':
      return { title: 'The provider is overloaded', ways: ['retry', 'model'] }
    case 'server':
      return { title: 'The provider had an internal error', ways: ['retry', 'model'] }
    case 'network':
      return { title: 'The provider could not be reached', ways: ['retry', 'model'] }
    case 'unreachable':
      return { title: 'The Palimpsest server does not answer', ways: ['retry'] }
    case 'restarted':
      return { title: 'The Palimpsest server was restarted', ways: ['retry'] }
    case 'offline':
      return { title: 'This browser is offline', ways: ['retry'] }
    case 'access':
      return { title: 'The server wants its access token again', ways: ['reload'] }
    case 'outdated':
      return { title: 'This page is older than the server', ways: ['reload', 'retry'] }
    case 'stalled':
      return { title: 'The reply stopped arriving', ways: ['retry', 'model'] }
    case 'overflow':
      return { title: 'The request does not fit the model’s window', ways: ['compact', 'model'] }
    case 'invalid-request':
    case 'empty-request':
      return { title: 'The request would be refused', ways: ['retry', 'model'] }
    case 'automatic-stopped':
      return { title: 'Automatic compaction has stopped', ways: ['compact', 'model'] }
    case 'journal-quota':
      return { title: 'This browser’s storage is full', ways: ['storage', 'retry'] }
    case 'journal-epoch':
      return { title: 'Another tab took over this session', ways: [] }
    case 'journal-failed':
    case 'journal-closed':
      return { title: 'The log could not be written', ways: ['retry', 'storage'] }
    default:
      return { title: 'Something went wrong', ways: ['retry'] }
  }
}

/** A failed request in a few words, for the transcript. */
export const errorWords = (code: string): string =>
  (
    ({
      authentication: 'key not accepted',
      permission: 'not permitted',
      billing: 'billing',
      'not-found': 'unknown model',
      'invalid-request': 'refused as invalid',
      overflow: 'too large for the window',
      'rate-limit': 'too many requests',
      overloaded: 'overloaded',
      server: 'server error',
      network: 'no connection to the provider',
      stalled: 'stalled',
      unreachable: 'no answer from the Palimpsest server',
      restarted: 'the Palimpsest server was restarted',
      offline: 'this browser is offline',
      access: 'access token wanted',
      outdated: 'page older than the server',
      cancelled: 'cancelled',
    }) as Record<string, string>
  )[code] ?? code

/** Why a reply ended, where that is not simply its end; null where nothing needs saying. */
export function stopWords(stopReason: string | undefined): string | null {
  switch (stopReason) {
    case undefined:
    case 'end_turn':
    case 'tool_use':
    case 'stop_sequence':
    case 'pause_turn':
    case 'max_tokens':
      return null
    case 'refusal':
      return 'The model declined to go on.'
    case 'model_context_window_exceeded':
      return 'The context window was full here.'
    default:
      return `The reply ended for a reason this app does not know: ${stopReason}.`
  }
}
