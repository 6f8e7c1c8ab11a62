/** What all tools share: a schema that is also the spec, and errors a model can act on. */

import { z } from 'zod'
import type { JsonObject } from '../core/message'
import type { Tool, ToolOutcome } from '../ports'

export const success = (text: string): ToolOutcome => ({
  content: [{ type: 'text', text }],
  isError: false,
})

export const failure = (text: string): ToolOutcome => ({
  content: [{ type: 'text', text }],
  isError: true,
})

/** JSON schema without what zod adds for every integer, which only costs tokens. */
function schemaOf(input: z.ZodType): JsonObject {
  const text = JSON.stringify(z.toJSONSchema(input, { io: 'input' }), (key, value: unknown) =>
    key === '$schema' || value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER
      ? undefined
      : value,
  )
  return JSON.parse(text) as JsonObject
}

const problemsOf = (error: z.ZodError): string =>
  error.issues
    .map((issue) => `${issue.path.length ? `"${issue.path.join('.')}": ` : ''}${issue.message}`)
    .join('; ')

function expected(schema: JsonObject): string {
  const required = new Set(schema.required as string[] | undefined)
  const fields = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
  return `{${fields.map(([key, field]) => `"${key}"${required.has(key) ? '' : '?'}: ${String(field.type)}`).join(', ')}}`
}

/**
 * A tool from its input schema. Bad input gives an error outcome that names what is wrong, what is
 * expected and an example; `run` gets input it can trust.
 */
export function defineTool<T>(tool: {
  name: string
  description: string
  effect: Tool['effect']
  input: z.ZodType<T>
  example: JsonObject
  run(input: T, signal: AbortSignal): Promise<ToolOutcome>
}): Tool {
  const schema = schemaOf(tool.input)
  return {
    spec: { name: tool.name, description: tool.description, input_schema: schema },
    effect: tool.effect,
    async run(input, signal) {
      const parsed = tool.input.safeParse(input)
      if (!parsed.success) {
        return failure(
          `Invalid input for ${tool.name}. ${problemsOf(parsed.error)}. Expected ${expected(schema)}. Example: ${JSON.stringify(tool.example)}`,
        )
      }
      return signal.aborted ? failure('Stopped before it began.') : tool.run(parsed.data, signal)
    },
  }
}
