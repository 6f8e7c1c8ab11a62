/** The two channels of the domain: a refusal is a value, a bug throws. */

export type Ok<T> = { readonly ok: true; readonly value: T }
export type Err<E> = { readonly ok: false; readonly error: E }
export type Result<T, E = Refusal> = Ok<T> | Err<E>

/** Why something was refused: the id of the rule it would break (SPEC.md) and a sentence for people. */
export type Refusal = { readonly rule: string; readonly message: string; readonly seq?: number }

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value })
export const err = <E>(error: E): Err<E> => ({ ok: false, error })
export const refuse = (rule: string, message: string, seq?: number): Err<Refusal> =>
  err(seq === undefined ? { rule, message } : { rule, message, seq })

/** Ends every `switch` over a closed union: adding a member stops compiling where it is not met. */
export function assertNever(value: never): never {
  throw new Error(`unexpected value: ${JSON.stringify(value)}`)
}
