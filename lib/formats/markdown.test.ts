import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSurfaceType, type SessionEvent } from '../core/event'
import { arbitraryLog } from '../core/testing/arbitrary'
import { writeMarkdown } from './markdown'
import { closeBlocks, code, fence, plain, quote } from './markdown-text'
import { header, sampleLog, TRICKY } from './testing/sample-log'

const events = sampleLog('ab'.repeat(32))
const write = (log: SessionEvent[], options = {}) =>
  new Response(writeMarkdown(header, () => log, options)).text()
const headingsOf = (markdown: string) =>
  markdown
    .split('\n')
    .filter((line) => /^#{2,3} .*· #\d+ ·/.test(line))
    .map((line) => line.replace(/ · \d{4}-.*$/, ''))

describe('a conversation as Markdown', () => {
  it('shows everything a person saw, in log order, compactions where they happened', async () => {
    expect(headingsOf(await write(events))).toEqual([
      '## User · #4',
      '## Assistant · offline-reader · #6',
      '### Tool result `read_file` `c1` · 12 ms · #9',
      '### Tool result `read_file` `c2` · error · 1 ms · #10',
      '### Tool result `read_file` `c1` · 12 ms · in place of #9 · #13',
      '## Assistant · offline-reader · #16',
      '## Compaction · manual · #22',
      '## Checkpoint · in place of #4 to #10 · #23',
      '## Notice · #26',
      '## User · #29',
    ])
  })

  it('says how much a compaction took from the model, and quotes its summary', async () => {
    const markdown = await write(events)
    expect(markdown).toContain('4 messages, #4 to #10 (1,234 tokens)')
    expect(markdown).toContain('> ## Request\n> Read a.md.\n')
    const { time, ...summary } = events[22] as SessionEvent & { type: 'compact/summary' }
    const derived = { ...summary, time, data: { ...summary.data, certainty: 'derived' as const } }
    expect(await write(events.with(22, derived))).toContain('The range is derived.')
  })

  it('notes failures, restores, pins, titles and turns that did not complete', async () => {
    const markdown = await write(events)
    for (const note of [
      '*Title: Reading \\*agents\\**',
      '*Request failed (overloaded): busy*',
      '*Result #9 shortened in what the model sees (micro).*',
      '*Compaction ended (cancelled): stopped*',
      '*Pinned #16.*',
      '*Restored what #23 had replaced.*',
      '*Turn: cancelled.*',
    ]) {
      expect(markdown).toContain(note)
    }
  })

  it('fences tool output with more backticks than any run inside', async () => {
    const shown = TRICKY.replace('\u0000', '').replace('\r\n', '\n')
    expect(await write(events)).toContain(`\n\`\`\`\`\`text\n${shown}\n\`\`\`\`\`\n`)
  })

  it('leaves out what a terminal would act upon, in words, output, names and titles', async () => {
    const dirty = '\u001b[1;31mred\u001b[0m\u001b[2J\u001b]0;own\u0007\u009b1m\u0008 end'
    const spoiled = events.map((event) => {
      const content = [{ type: 'text', text: dirty }]
      if (event.type === 'session/title') return { ...event, data: { ...event.data, title: dirty } }
      if (event.type === 'tool/result')
        return { ...event, data: { ...event.data, name: dirty, content } }
      return event.type === 'user/message' ? { ...event, data: { ...event.data, content } } : event
    }) as SessionEvent[]
    const markdown = await write(spoiled, { title: dirty })
    expect(markdown).toMatch(/^# red end\n/)
    expect(markdown).toContain('```text\nred end\n```')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must be gone
    expect(markdown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  })

  it('closes raw HTML that messages leave open, which would swallow what follows', () => {
    for (const [text, closer] of [
      ['<!-- note', '-->'],
      ['a\n<script src=x>', '</script>'],
      ['  <PRE>', '</PRE>'],
      ['<?php', '?>'],
      ['<!DOCTYPE html', '>'],
      ['<![CDATA[ x', ']]>'],
    ] as const) {
      expect(closeBlocks(text)).toBe(`${text}\n${closer}`)
      expect(closeBlocks(`${text} ${closer}`)).toBe(`${text} ${closer}`)
      expect(closeBlocks(`\`\`\`\n${text}\n\`\`\``)).toBe(`\`\`\`\n${text}\n\`\`\``)
    }
    expect(closeBlocks('<b>bold and <!-- inline')).toBe('<b>bold and <!-- inline')
  })

  it('quotes thinking and closes code fences that messages leave open', async () => {
    const markdown = await write(events)
    expect(markdown).toContain('> **Thinking**\n>\n> Two files.\n>\n> Both.\n')
    expect(markdown).toContain('```\nan open fence\n```\n')
    expect(markdown).toContain('~~~js\nlet x\n~~~\n')
  })

  it('names media by kind, size and hash', async () => {
    const line = `*Image: image/png, 1 × 2, 5 bytes* \`${'ab'.repeat(32)}\``
    expect(await write(events)).toContain(line)
  })

  it('is headed by its title, else by its id, with where it came from', async () => {
    expect(await write([], { title: 'My *title*' })).toMatch(/^# My \\\*title\\\*\n/)
    const forked = { ...header, parent: { id: 'mother', seq: 7 } }
    const markdown = await new Response(writeMarkdown(forked, () => [])).text()
    expect(markdown).toMatch(/^# sample\n/)
    expect(markdown).toContain('Forked from `mother` after #7.')
  })

  it('shows unknown blocks, strange times and ignorable events without failing', async () => {
    const strange = [
      {
        ...events[26],
        time: 1e300,
        data: { id: 'x', content: [{ type: 'new', a: 1 }], source: { kind: 'human' } },
      },
      { seq: 1, time: 0, type: 'from/mars', data: null, ignorable: true },
    ] as unknown as SessionEvent[]
    const markdown = await write(strange)
    expect(markdown).toContain('1e+300')
    expect(markdown).toContain('"a": 1')
  })
})

describe('Markdown as the model saw it', () => {
  it('[S8] is the surface at that moment, in surface order, with the system prompt', async () => {
    const before = await write(events, { at: 22 })
    expect(headingsOf(before).map((line) => line.match(/#(\d+)$/)?.[1])).toEqual([
      '4',
      '6',
      '13',
      '10',
      '16',
    ])
    const after = await write(events, { at: 23 })
    expect(headingsOf(after).map((line) => line.match(/#(\d+)$/)?.[1])).toEqual(['23', '16'])
    expect(after).toContain('as the model saw it after #23')
    expect(after).toContain('## System\n\n```text\nYou read files.\n```')
    expect(after).not.toContain('Pinned')
  })

  it('[S7] puts restored nodes back in their place', async () => {
    const restored = await write(events, { at: 99 })
    expect(headingsOf(restored).map((line) => line.match(/#(\d+)$/)?.[1])).toEqual([
      ...['4', '6', '13', '10', '16', '26', '29'],
    ])
    expect(restored).toContain('as the model saw it after #30')
  })

  it('says so where the log does not fold', async () => {
    const broken = [{ ...events[4]!, seq: 3 } as SessionEvent]
    expect(await write(broken, { at: 9 })).toContain('does not fold')
  })
})

describe('any valid log', () => {
  it('[S10] every node ever said is in the conversation, every node on the surface in the view of it', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryLog(40), async ({ header: found, events: log, nodes }) => {
        const all = await new Response(writeMarkdown(found, () => log)).text()
        const said = log.filter(({ type }) => isSurfaceType(type)).map(({ seq }) => seq)
        const shown = (markdown: string) =>
          headingsOf(markdown)
            .filter((line) => !line.includes('Compaction'))
            .map((line) => Number(line.match(/#(\d+)$/)?.[1]))
        expect(shown(all)).toEqual(said)
        const at = log.length - 1
        expect(shown(await new Response(writeMarkdown(found, () => log, { at })).text())).toEqual(
          nodes,
        )
      }),
      { numRuns: 200 },
    )
  }, 60_000)
})

describe('pieces of Markdown', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc
      .array(
        fc.constantFrom('`', '```', '~~~~', '\n', ' ', 'a', '> ', '<!--', '-->', '<pre>', '<?'),
        { maxLength: 20 },
      )
      .map((parts) => parts.join('')),
  )

  it('no text closes the fence around it', () => {
    fc.assert(
      fc.property(text, (inside) => {
        const lines = fence(inside, 'text').split('\n')
        const marks = lines[0]!.replace('text', '')
        const closing = new RegExp(`^ {0,3}\`{${marks.length},}\\s*$`)
        const closes = lines.slice(1).filter((line) => closing.test(line))
        expect(closes).toEqual([marks])
        const held = lines.slice(1, lines.lastIndexOf(marks)).join('\n')
        expect(held).toBe(inside.replace(/\n$/, ''))
      }),
    )
  })

  it('closing fences twice changes nothing the second time', () => {
    fc.assert(
      fc.property(text, (inside) => {
        const closed = closeBlocks(inside)
        expect(closed.startsWith(inside)).toBe(true)
        expect(closeBlocks(closed)).toBe(closed)
      }),
    )
  })

  it('inline code, quotes and plain words stay what they are', () => {
    expect([code('a'), code('a`b'), code('`'), code('two\nlines')]).toEqual([
      '`a`',
      '``a`b``',
      '`` ` ``',
      '`two lines`',
    ])
    expect(quote('a\n\nb\n\n')).toBe('> a\n>\n> b\n')
    expect(plain('*a*\n[b](c) <d>')).toBe('\\*a\\* \\[b\\](c) \\<d\\>')
  })
})
