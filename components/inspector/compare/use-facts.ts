'use client'

import { useEffect, useState } from 'react'
import { isSurfaceType, type Seq, type SurfaceEvent } from '@/lib/core/event'
import { type Fact, normalise } from '@/lib/core/facts'
import { factsOf } from '@/lib/core/facts-sources'
import { type Trace, traceFacts } from '@/lib/core/facts-trace'
import { useAppInstance, useSession } from '@/lib/state/hooks'
import { readBodies } from '../shared/bodies'

/** Nodes read at once; the page breathes in between. */
const PIECE = 24
/** Nodes looked through before somebody asks for more. */
export const FIRST_NODES = 600

export type FactsState = { read: number; total: number; traces: Trace[] | null }

const breathe = (): Promise<void> => new Promise((done) => setTimeout(done))

/** What became of the facts of `nodes` in `text`, once all nodes are read; each fact where it first stood. */
export function useFacts(nodes: readonly Seq[], text: string | null, most: number): FactsState {
  const { bodies } = useAppInstance()
  const id = useSession((state) => state.id)
  const key = `${id} ${nodes[0]} ${nodes.length} ${most}`
  const [found, setFound] = useState<FactsState & { key: string }>()
  useEffect(() => {
    if (text === null) return
    let stopped = false
    const wanted = nodes.slice(0, most)
    const run = async () => {
      const facts = new Map<string, Fact>()
      for (let from = 0; from < wanted.length && !stopped; from += PIECE) {
        const events = await readBodies(bodies, id, wanted.slice(from, from + PIECE))
        const surface = events.filter((event): event is SurfaceEvent => isSurfaceType(event.type))
        for (const fact of factsOf(surface)) {
          const name = `${fact.kind} ${normalise(fact.text)}`
          if (!facts.has(name)) facts.set(name, fact)
        }
        if (stopped) return
        setFound({ key, read: from + events.length, total: nodes.length, traces: null })
        await breathe()
      }
      if (stopped) return
      const traces = traceFacts([...facts.values()], text)
      setFound({ key, read: wanted.length, total: nodes.length, traces })
    }
    void run()
    return () => {
      stopped = true
    }
  }, [bodies, id, key, nodes, most, text])
  return found?.key === key ? found : { read: 0, total: nodes.length, traces: null }
}
