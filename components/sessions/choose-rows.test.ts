import { describe, expect, it } from 'vitest'
import { choiceOf, matching, rowsOf } from './choose-rows'

const of = (index: number, title: string, updatedAt: number | null) => ({
  index,
  title,
  updatedAt,
  messages: 2,
})
const lists = [
  { path: 'a.json', conversations: [of(0, 'Peas', 10), of(3, 'Beans', 30)] },
  { path: 'b.json', conversations: [of(0, 'Green peas', 20), of(1, 'No date', null)] },
]

describe('conversations to choose from', () => {
  it('are one list, newest first, those without a date last', () => {
    expect(rowsOf(lists).map(({ title }) => title)).toEqual([
      'Beans',
      'Green peas',
      'Peas',
      'No date',
    ])
  })

  it('are found by a part of their title', () => {
    expect(matching(rowsOf(lists), ' PEAS ').map(({ title }) => title)).toEqual([
      'Green peas',
      'Peas',
    ])
    expect(matching(rowsOf(lists), '')).toHaveLength(4)
  })

  it('are chosen file by file, though two have one number', () => {
    const rows = rowsOf(lists)
    const green = rows.find(({ title }) => title === 'Green peas')
    expect(choiceOf(rows, new Set([green?.key ?? '']))).toEqual(
      new Map([
        ['a.json', new Set()],
        ['b.json', new Set([0])],
      ]),
    )
  })
})
