/** A few words to describe JSON shapes by. The domain takes no packages, and needs no more than this. */

/** A description of a JSON value. `flaw` says what is wrong at `path`, or null. */
export type Shape = { readonly flaw: (value: unknown, path: string) => string | null }
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
  flaw: (value, path) => (test(value) ? null : `${path} is not ${wanted}`),
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
  flaw: (value, path) => (value === null ? null : flaw(value, path)),
})

export const oneOf = (...words: readonly string[]): Shape =>
  when((value) => words.includes(value as string), `one of ${words.join(', ')}`)

export const list = (item: Shape): Shape => ({
  flaw(value, path) {
    if (!Array.isArray(value)) return `${path} is not a list`
    for (const [index, member] of value.entries()) {
      const found = item.flaw(member, `${path}[${index}]`)
      if (found) return found
    }
    return null
  },
})

function membersFlaw(members: AnyMembers, value: unknown, path: string): string | null {
  if (!isRecord(value)) return `${path} is not an object`
  for (const [key, member] of Object.entries(members)) {
    if (value[key] === undefined) {
      if (!member.isOptional) return `${path}.${key} is missing`
    } else {
      const found = member.flaw(value[key], `${path}.${key}`)
      if (found) return found
    }
  }
  return null
}

/** An object with these members; others are kept verbatim. */
export const open = (members: AnyMembers): Shape => ({
  flaw: (value, path) => membersFlaw(members, value, path),
})

/** An object with these members and no others. */
export const closed = (members: AnyMembers): Shape => ({
  flaw(value, path) {
    const found = membersFlaw(members, value, path)
    if (found || !isRecord(value)) return found
    const stranger = Object.keys(value).find((key) => !Object.hasOwn(members, key))
    return stranger === undefined ? null : `${path}.${stranger} is unknown`
  },
})

/** The shape of type T: its members and no others. */
export const exactly = <T>(members: Members<T>): Shape => closed(members as AnyMembers)

/** An object whose member `key` names which of the shapes it has. */
export const tagged = (key: string, shapes: Readonly<Record<string, Shape>>): Shape => ({
  flaw(value, path) {
    const tag = isRecord(value) ? value[key] : undefined
    const found = typeof tag === 'string' && Object.hasOwn(shapes, tag) ? shapes[tag] : undefined
    return found ? found.flaw(value, path) : `${path}.${key} is unknown`
  },
})
