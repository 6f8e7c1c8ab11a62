'use client'

import { useEffect } from 'react'

/** More than this on screen at once helps nobody. */
const MAX_RANGES = 400

/** Paints matches in what is on screen, without touching the text (CSS custom highlights). */
export function useHighlights(
  scroller: HTMLElement | null,
  /** In lower case; empty for none. */
  wanted: string,
  row: number | null,
): void {
  useEffect(() => {
    const root = scroller
    if (!root || wanted === '' || !('highlights' in CSS)) return
    let frame = 0
    const paint = () => {
      const here = root.querySelector(`[data-index="${row ?? -1}"]`)
      const { all, current } = rangesOf(root, wanted, here)
      CSS.highlights.set('find', new Highlight(...all))
      CSS.highlights.set('find-current', new Highlight(...current))
    }
    const soon = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(paint)
    }
    const observer = new MutationObserver(soon)
    observer.observe(root, { childList: true, subtree: true, characterData: true })
    soon()
    return () => {
      cancelAnimationFrame(frame)
      observer.disconnect()
      CSS.highlights.delete('find')
      CSS.highlights.delete('find-current')
    }
  }, [scroller, wanted, row])
}

function rangesOf(root: Node, wanted: string, here: Element | null) {
  const all: Range[] = []
  const current: Range[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (
    let node = walker.nextNode();
    node && all.length + current.length < MAX_RANGES;
    node = walker.nextNode()
  ) {
    const text = (node.nodeValue ?? '').toLowerCase()
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + wanted.length)
      if (here?.contains(node)) current.push(range)
      else all.push(range)
    }
  }
  return { all, current }
}
