import { describe, expect, it } from 'vitest'
import { remarkRows } from './report-rows'

const at = (line: number, reason: string, toLine?: number) => ({ line, toLine, reason })

describe('what an import says of lines', () => {
  it('names the line, or the lines', () => {
    expect(remarkRows([at(4, 'torn'), at(5, 'odd', 1_200)])).toEqual([
      ['line 4', 'torn'],
      ['lines 5–1,200', 'odd'],
    ])
  })

  it('says a reason once, with its first lines and how many follow', () => {
    const many = [at(1, 'a'), at(2, 'b'), at(3, 'a'), at(5, 'a', 6), at(8, 'a', 9), at(12, 'a')]
    expect(remarkRows(many)).toEqual([
      ['lines 1, 3, 5–6 and 3 more', 'a'],
      ['line 2', 'b'],
    ])
  })
})
