/**
 * The models this stand-in serves. `max_input_tokens` is the context window, `max_tokens` the largest
 * output, as in the provider's models endpoint.
 */
const model = (id, name, window, output, line) => ({
  type: 'model',
  id,
  display_name: name,
  created_at: '2026-06-01T00:00:00Z',
  lifecycle: 'active',
  line,
  deprecated_at: null,
  retires_at: null,
  max_input_tokens: window,
  max_tokens: output,
  capabilities: {
    image_input: { supported: true },
    pdf_input: { supported: true },
    thinking: {
      supported: true,
      types: { adaptive: { supported: true }, enabled: { supported: true } },
    },
    effort: { supported: true },
  },
})

export const MODELS = [
  model('claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000, 'opus'),
  model('claude-sonnet-5-5', 'Claude Sonnet 5.5', 200_000, 64_000, 'sonnet'),
  model('claude-haiku-5-5', 'Claude Haiku 5.5', 200_000, 64_000, 'haiku'),
  model('fake-small-16k', 'Small window', 16_000, 4_000, null),
  model('fake-tiny-4k', 'Tiny window', 4_000, 1_000, null),
]

/** One page of the list, the way the provider pages: `after_id` and `limit`. */
export function pageOf(models, { afterId, limit }) {
  const from = afterId ? models.findIndex((one) => one.id === afterId) + 1 : 0
  const data = models.slice(from, from + limit)
  return {
    data,
    has_more: from + limit < models.length,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  }
}
