/** Failures and ends in a few words, for the transcript. Pure. */

/** A failed request in a few words, for the transcript. */
export const errorWords = (code: string): string =>
  (
    ({
      authentication: 'key not accepted',
      permission: 'not permitted',
      billing: 'the account cannot pay',
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
