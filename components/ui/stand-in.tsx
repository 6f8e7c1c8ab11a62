'use client'

import { type Ref, useImperativeHandle } from 'react'

/**
 * The only child of a Radix trigger whose control is on the page already. Controls are plain until they are
 * pointed at, focused or pressed; only then their tip or menu is made, and they are not mounted anew for it.
 */
export function StandIn({
  element,
  ref,
}: {
  element: HTMLElement
  /** Given by the trigger, which measures and focuses what it gets. */
  ref?: Ref<HTMLElement>
}) {
  useImperativeHandle(ref, () => element, [element])
  return null
}

/** One handler of two; either may be missing. */
export const both =
  <E,>(first: ((event: E) => void) | undefined, second: (event: E) => void): ((event: E) => void) =>
  (event) => {
    first?.(event)
    second(event)
  }
