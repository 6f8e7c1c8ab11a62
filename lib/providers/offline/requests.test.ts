import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryWorkspace } from '../../tools/workspace'
import { headingsIn } from './heading'
import { createLoop } from './testing/loop'
import { asPattern, MODES, PHRASES } from './testing/phrases'
import { expectQuoted, type World, word, world } from './testing/world'

const modes = Object.entries(MODES)
const mode = fc.constantFrom(...modes.map(([, options]) => options))
/** Ways to say one thing after another. */
const joint = fc.constantFrom(
  '. Then ',
  '. ',
  ', then ',
  ' and then ',
  '; ',
  '\n',
  '. After that, ',
  '\n2. ',
)
const unended = (text: string) => text.replace(/[.?]$/, '')
const linesOf = (w: World, path: string) => w.files[path]!.replace(/\n$/, '').split('\n')
const runs = (numRuns: number) => ({ numRuns, seed: 23, endOnFailure: true })

/** A phrasing with its own check of what the workspace and the words show afterwards. */
type Wish = {
  say: (w: World) => string
  holds: (
    w: World,
    found: {
      answer: string
      words: string
      reads: string[]
      read: (path: string) => Promise<unknown>
    },
  ) => Promise<void> | void
}

const except = (say: Wish['say']): Wish => ({
  say,
  holds: (w, { reads, answer }) => {
    expect(reads).toEqual(w.paths.slice(1))
    expect(answer).not.toContain(`\`${w.paths[0]}\`: read`)
  },
})

/** Where the reading has gone with a summary, that is said instead. */
const GONE = 'its lines have gone from view'

const holdsLines =
  (from: number, to?: number): Wish['holds'] =>
  (w, { words }) => {
    const path = w.paths[0]!
    const lines = linesOf(w, path)
    const first = (from < 0 ? Math.max(0, lines.length + from) : from - 1) + 1
    const last = to ?? lines.length
    const quoted = [...words.matchAll(/`([^`\n]+):(\d+)`: /g)].map((match) => Number(match[2]))
    const wanted = lines
      .map((text, at) => ({ text, line: at + 1 }))
      .filter(({ text, line }) => line >= first && line <= last && text.trim() !== '')
      .map(({ line }) => line)
    if (!words.includes(GONE)) expect(quoted).toEqual(wanted)
  }

const copied = (say: Wish['say'], to: string, of: (w: World) => string[]): Wish => ({
  say,
  holds: async (w, { read }) => expect(await read(to)).toBe(`${of(w).join('\n')}\n`),
})

const WISHES: Wish[] = [
  except((w) => `read every file in ${w.folder}/ except ${w.paths[0]}`),
  except(
    (w) =>
      `go through all files in the ${w.folder} folder one by one, but not ${w.paths[0]!.split('/')[1]}`,
  ),
  except(
    (w) =>
      `Please read each file under ${w.folder}/ other than \`${w.paths[0]}\` one after the other.`,
  ),
  { say: (w) => `read the last 3 lines of ${w.paths[0]}`, holds: holdsLines(-3) },
  { say: (w) => `Could you show me the last two lines of ${w.paths[0]}?`, holds: holdsLines(-2) },
  { say: (w) => `print the first 4 lines of ${w.paths[0]}`, holds: holdsLines(1, 4) },
  { say: (w) => `show ${w.paths[0]} from line 2 to line 4`, holds: holdsLines(2, 4) },
  copied(
    (w) => `copy the first two lines of ${w.paths[0]} to out/first.txt`,
    'out/first.txt',
    (w) => linesOf(w, w.paths[0]!).slice(0, 2),
  ),
  copied(
    (w) => `read ${w.paths[0]} and write its last line to last.txt`,
    'last.txt',
    (w) => linesOf(w, w.paths[0]!).slice(-1),
  ),
  copied(
    (w) => `save lines 2-3 of ${w.script} as part.txt`,
    'part.txt',
    (w) => linesOf(w, w.script).slice(1, 3),
  ),
  ...[
    'write a summary of notes.md to sum.md',
    'summarise notes.md and save it as sum.md',
    'summarise notes.md, then write the result to sum.md',
  ].map(
    (say): Wish => ({
      say: () => say,
      holds: async (w, { read, answer }) => {
        const text = String(await read('sum.md'))
        expect(text).toContain('notes.md')
        expectQuoted(w.files, text, 1)
        expect(answer).toContain('sum.md')
      },
    }),
  ),
  ...[
    'replace A by B in all files',
    'change every A to B everywhere in the workspace',
    'Replace `A` with `B` in every file, please.',
  ].map(
    (say): Wish => ({
      say: (w) => say.replace('B', 'NEW_NAME').replace('A', w.constant),
      holds: async (w, { read }) => {
        for (const [path, text] of Object.entries(w.files))
          expect(await read(path)).toBe(text.replaceAll(w.constant, 'NEW_NAME'))
      },
    }),
  ),
  {
    say: (w) => `replace ${w.constant} with NEW_NAME in src/ except ${w.script}`,
    holds: async (w, { read, answer }) => {
      expect(await read(w.script)).toBe(w.files[w.script])
      expect(answer).toContain('Nothing was changed')
    },
  },
  {
    say: (w) => `find all ${w.constant} comments`,
    holds: (w, { answer }) => expect(answer).toContain(`\`${w.script}:3\``),
  },
  {
    say: () => 'run wc -l notes.md with bash',
    holds: (_, { answer }) => expect(answer).toContain('`wc -l notes.md` printed'),
  },
]

const readsOf = (calls: readonly { name: string; input: object }[]) =>
  calls
    .filter(({ name }) => name === 'read_file')
    .map(({ input }) => (input as { path: string }).path)

describe('on generated workspaces', { timeout: 60_000 }, () => {
  it.each(modes)(
    'exceptions, lines, all files and targets are kept to the letter, with %s',
    async (_, options) => {
      for (const [at, wish] of WISHES.entries()) {
        const [w] = fc.sample(world, { seed: 300 + at, numRuns: 1 }) as [World]
        const files = memoryWorkspace(w.files)
        const { words, calls, answer } = await createLoop(files, options).send(wish.say(w))
        expectQuoted(w.files, answer, 0)
        if (options !== MODES['a summary after every step']) expect(answer).not.toContain(GONE)
        expect([wish.say(w), words]).toEqual([
          wish.say(w),
          expect.not.stringContaining('I did not do'),
        ])
        await wish.holds(w, {
          answer,
          words: answer,
          reads: readsOf(calls),
          read: (path) => files.read(path),
        })
      }
    },
  )

  it('every part of a request is done in order, whatever is summarised between', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(fc.constantFrom(...PHRASES), { minLength: 2, maxLength: 4 }),
        joint,
        mode,
        async (w, phrases, by, options) => {
          const request = phrases.map((phrase) => unended(phrase.say(w))).join(by)
          const { words, steps } = await createLoop(memoryWorkspace(w.files), options).send(request)
          expectQuoted(w.files, words, 0)
          expect(words).not.toContain('I did not do')
          // A very short summary keeps only the beginning of a long request, and says so.
          if (words.includes('Of your request only the first')) return
          const parts = steps.flatMap(({ text }) => headingsIn(text)).map(({ part }) => part)
          expect([request, parts]).toEqual([request, phrases.map((_, at) => at + 1)])
          if (options === MODES['all in view'])
            for (const phrase of phrases) expect(words).toMatch(asPattern(phrase.shows(w)))
        },
      ),
      runs(60),
    )
  })

  it('changes are made once each, in order, whatever is summarised between', async () => {
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.array(word, { minLength: 2, maxLength: 5 }),
        joint,
        mode,
        async (w, lines, by, options) => {
          const files = memoryWorkspace(w.files)
          const loop = createLoop(files, options)
          await loop.send(lines.map((line) => `add "${line}" to log.txt`).join(by))
          expect(await files.read('log.txt')).toBe(lines.map((line) => `${line}\n`).join(''))
        },
      ),
      runs(40),
    )
  })

  it('a part without a rule is named word for word, and the others are done', async () => {
    const odd = fc.tuple(word, word).map(([a, b]) => `${a}ify the ${b}`)
    await fc.assert(
      fc.asyncProperty(
        world,
        fc.constantFrom(...PHRASES),
        odd,
        joint,
        fc.boolean(),
        async (w, phrase, none, by, isFirst) => {
          const asked = unended(phrase.say(w))
          const request = isFirst ? `${none}${by}${asked}` : `${asked}${by}${none}`
          const { answer } = await createLoop(memoryWorkspace(w.files)).send(request)
          expect([request, answer]).toEqual([
            request,
            expect.stringContaining(`I did not do: \`${none}\`.`),
          ])
          expect(answer).toMatch(asPattern(phrase.shows(w)))
        },
      ),
      runs(60),
    )
  })
})
