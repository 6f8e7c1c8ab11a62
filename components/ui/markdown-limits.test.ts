import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import Text from 'react-markdown'
import gfm from 'remark-gfm'
import { describe, expect, it } from 'vitest'
import { isTooWild } from './markdown-limits'

const nested = (depth: number) =>
  Array.from({ length: depth }, (_, at) => `${'  '.repeat(at)}- ${at}`).join('\n')

it.each<[string, string]>([
  ['a list 500 deep', nested(500)],
  ['a list 500 deep in one line', `${'- '.repeat(500)}x`],
  ['a numbered list 500 deep in one line', `${'1. '.repeat(500)}x`],
  ['quotes 5,000 deep', `${'>'.repeat(5000)}x`],
  ['many quotes 30 deep', `${'>'.repeat(30)}x\n\n`.repeat(100)],
  ['a table of 5,000 columns', ['|a', '|-', '|b'].map((cell) => cell.repeat(5000)).join('\n')],
  ['brackets that never close', '['.repeat(20_000)],
  ['links that never close', '[a]('.repeat(5000)],
  ['footnotes without end', '[^a]'.repeat(3000)],
])('%s is shown as it stands', (_, text) => {
  expect(isTooWild(text)).toBe(true)
})

describe('what people and models write', () => {
  const rows = '| a | b | c | d |\n'
  it.each<[string, string]>([
    ['a list 20 deep', nested(20)],
    ['a reply in a mail thread', `${'>'.repeat(12)} and before that\n`.repeat(60)],
    ['a table of 400 rows', `${rows}|---|---|---|---|\n${rows.repeat(400)}`],
    ['a list of 1,500 items', '- an item with [a link](https://example.org)\n'.repeat(900)],
    ['rules', '- - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - - -\n'],
    ['deeply indented code', `\`\`\`\n${' '.repeat(160)}return x\n\`\`\``],
    ['long prose', 'Some (rather) long prose [with] brackets. '.repeat(1400)],
  ])('%s is read as Markdown, without a deep stack', (_, text) => {
    expect(isTooWild(text)).toBe(false)
    const page = createElement(Text, { remarkPlugins: [gfm] }, text)
    expect(renderToStaticMarkup(page).length).toBeGreaterThan(0)
  })
})
