'use client'

import { useEffect } from 'react'

const MOST = 600

/** Paints literals where they stand in a text, without touching it (CSS custom highlights). */
export function useKeptMarks(root: HTMLElement | null, literals: readonly string[], text: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: `text` is what the nodes under `root` say
  useEffect(() => {
    if (!root || literals.length === 0 || !('highlights' in CSS)) return
    CSS.highlights.set('kept', new Highlight(...rangesOf(root, literals)))
    return () => void CSS.highlights.delete('kept')
  }, [root, literals, text])
}

function rangesOf(root: Node, literals: readonly string[]): Range[] {
  const ranges: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    for (const literal of literals) {
      for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
        if (ranges.length >= MOST) return ranges
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + literal.length)
        ranges.push(range)
      }
    }
  }
  return ranges
}
