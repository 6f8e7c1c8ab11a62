/** The region a person is choosing, by its two ends: seqs of nodes. Not stored, not in the URL. */

import { create } from 'zustand'
import type { Seq } from '@/lib/core/event'

type Region = {
  session: string
  one: Seq
  /** Null while only the first end is chosen. */
  other: Seq | null
  /** Where it is being chosen: its bar stands there. */
  at: 'chat' | 'surface'
}

type Store = {
  region: Region | null
  /** The nodes in it, set by whoever shows it: rows ask for theirs without snapping it again. */
  seqs: ReadonlySet<Seq>
}

const NONE: ReadonlySet<Seq> = new Set()

export const useRegion = create<Store>()(() => ({ region: null, seqs: NONE }))

export const beginRegion = (session: string, one: Seq): void =>
  useRegion.setState({ region: { session, one, other: null, at: 'chat' }, seqs: new Set([one]) })

/** Sets the other end; without a region of that session it begins one at `from`. */
export const chooseRegion = (
  session: string,
  from: Seq,
  other: Seq,
  at: 'chat' | 'surface' = 'chat',
): void =>
  useRegion.setState(({ region }) => ({
    region: { session, one: region?.session === session ? region.one : from, other, at },
  }))

export const dropRegion = (): void => useRegion.setState({ region: null, seqs: NONE })
