'use client'

import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { fitLiterals } from '@/lib/core/accept'
import type { Policy, Seq, SurfaceEvent } from '@/lib/core/event'
import { isSurfaceType } from '@/lib/core/event'
import { type Fact, normalise } from '@/lib/core/facts'
import { factsOf } from '@/lib/core/facts-sources'
import { appendLost, type Trace, traceFacts } from '@/lib/core/facts-trace'
import type { Log } from '@/lib/core/log'
import type { Run } from '@/lib/core/range'
import { useAppInstance, useSession } from '@/lib/state/hooks'
import { readBodies } from '../inspector/shared/bodies'
import type { Edit } from './review-store'

/** Nodes looked through in one go, so that the screen stays awake between them. */
const CHUNK = 24
/** Tokens of appended literals that are ever offered; the commit has the same limit. */
const BUDGET = 1000

/** The facts of a span, first of each; null while it is read. */
function useSpanFacts(seqs: readonly Seq[]): readonly Fact[] | null {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const [found, setFound] = useState<{ key: string; facts: readonly Fact[] } | null>(null)
  const key = `${id} ${seqs.join()}`
  useEffect(() => {
    let isWanted = true
    const [, list = ''] = key.split(' ')
    const wanted = list === '' ? [] : list.split(',').map(Number)
    const read = async () => {
      const facts = new Map<string, Fact>()
      for (let from = 0; from < wanted.length && isWanted; from += CHUNK) {
        const events = await readBodies(bodies, id, wanted.slice(from, from + CHUNK))
        const nodes = events.filter((event): event is SurfaceEvent => isSurfaceType(event.type))
        for (const fact of factsOf(nodes)) {
          const same = `${fact.kind}\n${normalise(fact.text)}`
          if (!facts.has(same)) facts.set(same, fact)
        }
        await new Promise((done) => setTimeout(done))
      }
      if (isWanted) setFound({ key, facts: [...facts.values()] })
    }
    void read()
    return () => {
      isWanted = false
    }
  }, [bodies, id, key])
  return found?.key === key ? found.facts : null
}

export type Facts = {
  traces: readonly Trace[]
  /** Literals of lost facts that may still be appended, worth most first. */
  offered: readonly string[]
}

/** What the text does with the facts of its span; null while they are looked for. */
export function useFacts(log: Log, run: Run, edit: Edit, minGain: Policy['minGain']): Facts | null {
  const facts = useSpanFacts(run.seqs)
  const { text, literals } = useDeferredValue(edit)
  return useMemo(() => {
    if (!facts || text.trim() === '') return null
    const traces = traceFacts(facts, [text, ...literals].join('\n'))
    const lost = traces.filter(({ fate }) => fate === 'lost').map(({ fact }) => fact)
    const wanted = [...literals, ...appendLost(lost, BUDGET)]
    const fitting = fitLiterals(log, { range: run, trigger: 'region' }, text, wanted, minGain)
    return { traces, offered: fitting.filter((literal) => !literals.includes(literal)) }
  }, [facts, text, literals, log, run, minGain])
}
