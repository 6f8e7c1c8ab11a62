/** A few words to describe JSON shapes by. The domain takes no packages, and needs no more than this. */

/**
 * A description of a JSON value. `flaw` is null or says what is wrong, beginning with where: `.a[3].b is
 * not a text`, ` is not a text` for the value itself. Its text is only made when something is wrong.
 */
export type Shape = { readonly flaw: (value: unknown) => string | null }
/** The same for a member that may be missing. */
export type OptionalShape = Shape & { readonly isOptional: true }

/**
 * One shape for each member of T, optional where T's member is: a member added to the type does not
 * compile until its shape is added too.
 */
export type Members<T> = {
  readonly [K in keyof T]-?: undefined extends T[K] ? OptionalShape : Shape & { isOptional?: never }
}
type AnyMembers = Readonly<Record<string, Shape & { readonly isOptional?: boolean }>>

const when = (test: (value: unknown) => boolean, wanted: string): Shape => ({
  flaw: (value) => (test(value) ? null : ` is not ${wanted}`),
})

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value)

export const text = when((value) => typeof value === 'string', 'a text')
export const name = when((value) => typeof value === 'string' && value !== '', 'a non-empty text')
export const number = when((value) => Number.isFinite(value), 'a number')
/** Counts, seqs, sizes. */
export const whole = when((value) => isInteger(value) && value >= 0, 'a whole number')
export const flag = when((value) => typeof value === 'boolean', 'true or false')
export const yes = when((value) => value === true, 'true')
export const json = when((value) => value !== undefined, 'a JSON value')
export const record = when(isRecord, 'an object')

export const optional = ({ flaw }: Shape): OptionalShape => ({ flaw, isOptional: true })

export const nullable = ({ flaw }: Shape): Shape => ({
  flaw: (value) => (value === null ? null : flaw(value)),
})

export const oneOf = (...words: readonly string[]): Shape =>
  when((value) => words.includes(value as string), `one of ${words.join(', ')}`)

export const list = ({ flaw }: Shape): Shape => ({
  flaw(value) {
    if (!Array.isArray(value)) return ' is not a list'
    for (let index = 0; index < value.length; index++) {
      const found = flaw(value[index])
      if (found !== null) return `[${index}]${found}`
    }
    return null
  },
})

/** An object with these members; others are kept verbatim. */
export function open(members: AnyMembers): Shape {
  const expected = Object.entries(members)
  return {
    flaw(value) {
      if (!isRecord(value)) return ' is not an object'
      for (const [key, member] of expected) {
        const part = value[key]
        if (part === undefined) {
          if (!member.isOptional) return `.${key} is missing`
          continue
        }
        const found = member.flaw(part)
        if (found !== null) return `.${key}${found}`
      }
      return null
    },
  }
}

/** An object with these members and no others. */
export function closed(members: AnyMembers): Shape {
  const known = open(members)
  return {
    flaw(value) {
      const found = known.flaw(value)
      if (found !== null) return found
      for (const key in value as object) {
        if (!Object.hasOwn(members, key)) return `.${key} is unknown`
      }
      return null
    },
  }
}

/** The shape of type T: its members and no others. */
export const exactly = <T>(members: Members<T>): Shape => closed(members as AnyMembers)

/** An object whose member `key` names which of the shapes it has. */
export const tagged = (key: string, shapes: Readonly<Record<string, Shape>>): Shape => ({
  flaw(value) {
    const tag = isRecord(value) ? value[key] : undefined
    const found = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined
    return found ? found.flaw(value) : `.${key} is unknown`
  },
})
