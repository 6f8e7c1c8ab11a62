import { describe, expect, it } from 'vitest'
import {
  assistant,
  bracket,
  build,
  buildOn,
  call,
  commit,
  commitOf,
  draft,
  FOREIGN,
  fail,
  header,
  notice,
  open,
  type Part,
  pin,
  prune,
  pruneOf,
  restore,
  result,
  start,
  step,
  stepEnd,
  stepStart,
  summary,
  title,
  turn,
  turnEnd,
  turnStart,
  unpin,
  user,
} from './testing/build'
import { refusal } from './testing/refusal'

describe('turns and steps', () => {
  const said = [header(), turnStart]

  it('[L9] nest, and their numbers rise', () => {
    const whole = turn(user('a'), step(assistant('b')), step(assistant('c')))
    expect(refusal(header(), whole, whole)).toBe('accepted')
    expect(refusal(...said, turnStart)).toBe('L9')
    expect(refusal(turnEnd())).toBe('L9')
    expect(refusal(...said, stepStart, stepStart)).toBe('L9')
    expect(refusal(...said, stepStart, turnEnd())).toBe('L9')
    expect(refusal(...said, stepEnd)).toBe('L9')
    expect(refusal(header(), stepStart)).toBe('L9')
    const again: Part = ({ write }) => write({ type: 'turn/start', data: { turn: 1 } })
    expect(refusal(...said, turnEnd(), again)).toBe('L9')
  })

  it('[L9] a call is started once, in its step, and only while it is open', () => {
    const called = [...said, stepStart, call('a')]
    expect(refusal(...called, start('a'))).toBe('accepted')
    expect(refusal(...called, start('a'), start('a'))).toBe('L9')
    expect(refusal(...called, start('b'))).toBe('L9')
    expect(refusal(...called, result('a'), start('a'))).toBe('L9')
    expect(refusal(...called, stepEnd, start('a'))).toBe('L9')
  })

  it('[Q1] nothing touches the surface between a step and its reply', () => {
    const waiting = [header(), turnStart, user('a'), call('x'), result('x'), stepStart]
    expect(refusal(...waiting, assistant('b'), user('c'))).toBe('accepted')
    expect(refusal(...waiting, user('c'))).toBe('Q1')
    expect(refusal(...waiting, header())).toBe('Q1')
    expect(refusal(...waiting, prune(4))).toBe('Q1')
    expect(refusal(...waiting, title('t'), pin(4), assistant('b'))).toBe('accepted')
    expect(refusal(...waiting, stepEnd, user('c'))).toBe('accepted')
  })

  it('[Q1] a step needs a header, except in a log that came from elsewhere', () => {
    expect(refusal(turnStart, stepStart)).toBe('Q1')
    expect(buildOn(FOREIGN, turnStart, stepStart).log.state.step).toBe(1)
  })

  it('[R2] a session is opened again only when nothing is open', () => {
    expect(refusal(turnStart, open('resumed'))).toBe('R2')
    expect(refusal(user('a'), call('x'), open('resumed'))).toBe('R2')
    expect(refusal(user('a'), user('b'), bracket(0, 0), open('resumed'))).toBe('R2')
    expect(refusal(user('a'), call('x'), result('x'), open('resumed'))).toBe('accepted')
  })
})

describe('brackets', () => {
  const three = [user('a'), user('b'), user('c')]

  it('[C2] one at a time, each ended once, each with an id of its own', () => {
    expect(refusal(...three, bracket(0, 1), bracket(0, 1))).toBe('C2')
    expect(refusal(...three, fail())).toBe('C2')
    expect(refusal(...three, bracket(0, 1), fail(), fail())).toBe('C2')
    const named = bracket(0, 1, { id: 'same' })
    expect(refusal(...three, named, fail(), named)).toBe('C2')
    expect(refusal(...three, bracket(0, 1), fail(), bracket(0, 1), commit())).toBe('accepted')
  })

  it('[C2] summary, replacement and end come in one transaction or not at all', () => {
    const parts = (from: number, to: number): Part => {
      return (writer) => {
        writer.write(...commitOf(writer, [0, 1]).slice(from, to))
      }
    }
    for (const [from, to] of [
      [0, 1],
      [0, 2],
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const) {
      expect(refusal(...three, bracket(0, 1), parts(from, to))).toBe('C2')
    }
    expect(refusal(...three, bracket(0, 1), parts(0, 3))).toBe('accepted')
  })

  it('[C2] a checkpoint stands for a summary, but in a log that came from elsewhere', () => {
    const alone: Part = ({ write }) => {
      const source = { kind: 'checkpoint' as const, compactionId: 'c' }
      write({ type: 'user/message', data: { id: 'm', content: [], source }, surfaceOp: 'append' })
    }
    expect(refusal(alone)).toBe('C2')
    expect(buildOn(FOREIGN, alone).nodes).toEqual([0])
  })

  it('[L9] one that names a turn begins in it, and ends in the one it began in', () => {
    const inTurn =
      (turn: number | null): Part =>
      ({ log, write }) => {
        const range = { start: log.heads.length - 3, end: log.heads.length - 2 }
        const data = { compactionId: 'c', turn, trigger: 'manual' as const, range }
        write({ type: 'compact/start', data })
      }
    const endIn =
      (turn: number | null): Part =>
      ({ write }) => {
        const error = { code: 'cancelled' as const, message: '' }
        write({ type: 'compact/end', data: { compactionId: 'c', turn, error } })
      }
    expect(refusal(...three, inTurn(1))).toBe('L9')
    expect(refusal(turnStart, ...three, inTurn(2))).toBe('L9')
    expect(refusal(turnStart, ...three, inTurn(1), endIn(1), turnEnd())).toBe('accepted')
    expect(refusal(turnStart, ...three, inTurn(null), endIn(null))).toBe('accepted')
    expect(refusal(turnStart, ...three, inTurn(1), endIn(null))).toBe('L9')
    // A prompt may come while one that began between turns is at work.
    expect(refusal(...three, inTurn(null), turnStart, endIn(null))).toBe('accepted')
    expect(refusal(...three, inTurn(null), turnStart, endIn(1))).toBe('L9')
  })

  it('[C2] the replacement shadows exactly what the summary names', () => {
    const other: Part = (writer) => {
      const [named, , ended] = commitOf(writer, [0, 1])
      const [, replaced] = commitOf(writer, [1])
      writer.write(named!, replaced!, ended!)
    }
    expect(refusal(...three, bracket(0, 1), other)).toBe('C2')
  })

  it('[C3] a range is on the surface, in order, balanced, unpinned, and not the newest unit', () => {
    const talk = [user('a'), call('x'), result('x'), user('b')]
    expect(refusal(...talk, bracket(0, 2))).toBe('accepted')
    expect(refusal(...talk, bracket(0, 9))).toBe('C3')
    expect(refusal(...talk, bracket(2, 0))).toBe('C3')
    expect(refusal(...talk, bracket(0, 1))).toBe('C3')
    expect(refusal(...talk, bracket(2, 2))).toBe('C3')
    expect(refusal(...talk, bracket(0, 3))).toBe('C3')
    expect(refusal(...talk, pin(1), bracket(0, 2))).toBe('C3')
    expect(refusal(user('a'), call('x'), user('b'), bracket(0, 1))).toBe('C3')
  })

  it('[C3] is asked again at commit: a node pinned meanwhile stays', () => {
    expect(refusal(...three, bracket(0, 1), pin(1), commit())).toBe('C3')
  })

  it('[C4] an automatic run needs the surface it began with, a manual one only its span', () => {
    const late = (trigger: 'pressure' | 'manual'): string =>
      refusal(...three, bracket(0, 1, { trigger }), user('late'), commit())
    expect(late('pressure')).toBe('C4')
    expect(late('manual')).toBe('accepted')
    const talk = [user('a'), call('x'), result('x'), user('b')]
    const stale: Part = (writer) => {
      writer.write(...commitOf(writer, [0, 1, 2]))
    }
    expect(refusal(...talk, bracket(0, 2), prune(2), stale)).toBe('C4')
    const moved: Part = (writer) => {
      writer.write(...commitOf(writer, [0, 1, 6]))
    }
    expect(refusal(...talk, bracket(0, 2), prune(2), moved)).toBe('C4')
  })

  it('[C4] no step begins while one is open', () => {
    const opened = [header(), ...three, turnStart, bracket(1, 2)]
    expect(refusal(...opened, stepStart)).toBe('C4')
    expect(refusal(...opened, fail(), stepStart)).toBe('accepted')
  })

  it('[C16] a draft and the end it causes are one transaction, and the lock is free after it', () => {
    expect(refusal(...three, bracket(0, 1), draft(), bracket(0, 1), commit())).toBe('accepted')
    expect(refusal(...three, bracket(0, 1), fail('drafted'))).toBe('C16')
    const alone: Part = ({ log, write }) => {
      const { compactionId = '' } = log.state.bracket ?? {}
      write({ type: 'compact/draft', data: { compactionId, summary: 's', ms: 1 } })
    }
    expect(refusal(...three, bracket(0, 1), alone)).toBe('C16')
  })

  it('[C16] a bracket cites a draft of its own range, or none', () => {
    const citing =
      (start: number, end: number, draftSeq: number): Part =>
      ({ log, write }) => {
        const range = { start, end }
        const data = { compactionId: `c-${log.heads.length}`, turn: null, range, draftSeq }
        write({ type: 'compact/start', data: { ...data, trigger: 'manual' } })
      }
    const drafted = [...three, user('c'), bracket(0, 1), draft()]
    expect(refusal(...drafted, citing(0, 1, 5), commit())).toBe('accepted')
    expect(refusal(...drafted, citing(0, 2, 5))).toBe('C16')
    expect(refusal(...drafted, citing(0, 1, 4))).toBe('C16')
    expect(refusal(...drafted, citing(0, 1, 99))).toBe('C16')
  })

  it('[X3] a result is replaced right after a prune that names it', () => {
    const talk = [user('a'), call('x', 'y'), result('x'), result('y'), user('b')]
    const half = (from: number, to: number): Part => {
      return (writer) => {
        writer.write(...pruneOf(writer, 2, 'p', 'micro').slice(from, to))
      }
    }
    expect(refusal(...talk, half(0, 2))).toBe('accepted')
    expect(refusal(...talk, half(0, 1))).toBe('X3')
    expect(refusal(...talk, half(1, 2))).toBe('X3')
    const crossed: Part = (writer) => {
      const [named] = pruneOf(writer, 3, 'p', 'micro')
      writer.write(named!, pruneOf(writer, 2, 'p', 'micro')[1]!)
    }
    expect(refusal(...talk, crossed)).toBe('X3')
  })

  it('[C2][X3] a log from elsewhere may replace without naming a compaction', () => {
    const replaced: Part = (writer) => {
      const [, node] = commitOf(writer, [0])
      writer.write(node!)
    }
    expect(buildOn(FOREIGN, ...three, replaced).nodes).toEqual([3, 1, 2])
    expect(refusal(...three, replaced)).toBe('C2')
  })
})

describe('control', () => {
  const talk = [user('a'), call('x', 'y'), result('x'), notice('n'), result('y'), user('b')]

  it('[K1] a pin closes over its unit, and so does unpinning', () => {
    const { log } = build(...talk, pin(3))
    expect([...log.state.pins].sort()).toEqual([1, 2, 3, 4])
    expect([...build(...talk, pin(3), unpin(4)).log.state.pins]).toEqual([])
    expect([...build(...talk, pin(0, 3), unpin(1)).log.state.pins]).toEqual([0])
  })

  it('[K1] a pin closes over what joins its unit later', () => {
    const { log } = build(user('a'), call('x', 'y'), pin(1), result('x'), notice('n'), result('y'))
    expect([...log.state.pins].sort()).toEqual([1, 3, 4, 5])
  })

  it('[K1] a pinned result is not pruned', () => {
    expect(refusal(...talk, pin(1), prune(2))).toBe('K1')
    expect(refusal(...talk, pin(1), unpin(2), prune(2))).toBe('accepted')
  })

  it('[K1] pins name nodes on the surface, unpinning any node', () => {
    expect(refusal(...talk, title('t'), pin(6))).toBe('K1')
    expect(refusal(...talk, pin(99))).toBe('K1')
    expect(refusal(...talk, summary(0, 0), pin(0))).toBe('K1')
    expect(refusal(...talk, summary(0, 0), unpin(0))).toBe('accepted')
  })

  it('[K1] a restored result of a pinned unit is pinned too', () => {
    const { log } = build(...talk, prune(2), pin(1), restore(7))
    expect(log.state.pins.has(2)).toBe(true)
  })

  it('[S7] what was restored is spared by automatic replacement until it is unpinned', () => {
    const back = [...talk, prune(2), restore(7)]
    expect([...build(...back).log.state.restored]).toEqual([2])
    expect(refusal(...back, prune(2, 'p', 'micro'))).toBe('S7')
    expect(refusal(...back, prune(2, 'p', 'manual'))).toBe('accepted')
    expect(refusal(...back, unpin(2), prune(2, 'p', 'micro'))).toBe('accepted')
    const returned = [user('a'), user('b'), user('c'), summary(0, 1), restore(5)]
    expect(refusal(...returned, bracket(0, 1, { trigger: 'pressure' }))).toBe('S7')
    expect(refusal(...returned, summary(0, 1))).toBe('accepted')
  })

  it('[S7] only a replacement on the surface can be restored', () => {
    expect(refusal(...talk, restore(0))).toBe('S7')
    expect(refusal(...talk, prune(2), restore(7), restore(7))).toBe('S7')
    expect(refusal(user('a'), user('b'), summary(0, 0), summary(4, 4), restore(4))).toBe('S7')
  })

  it('[S6] a restore that would bring a call id back beside its second use is refused', () => {
    const reused = [user('a'), call('x'), result('x'), user('b'), summary(1, 2), call('x')]
    expect(refusal(...reused, restore(6))).toBe('S6')
    expect(refusal(...reused, result('x'), restore(6))).toBe('S6')
  })
})

it('[R2] the state names calls that were started and calls that were not', () => {
  const { log } = build(header(), turnStart, user('a'), stepStart, call('x', 'y'), start('y'))
  expect(log.state.openCalls).toEqual([
    { callId: 'x', name: 'read_file', seq: 4, started: false },
    { callId: 'y', name: 'read_file', seq: 4, started: true },
  ])
  expect(log.state).toMatchObject({ turn: 1, step: 1, lastTurn: 1, headerSeq: 0, lastStepStart: 3 })
})
