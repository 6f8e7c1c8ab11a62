import { Fragment, type ReactNode } from 'react'

/** Facts in one line, parted by dots; where the line is too short it breaks after a dot, never inside a fact. */
export function Facts({ facts }: { facts: readonly ReactNode[] }) {
  const said = facts.filter(Boolean)
  return said.map((fact, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: facts of one line keep their places
    <Fragment key={i}>
      <span className="whitespace-nowrap">
        {fact}
        {i < said.length - 1 ? ' ·' : null}
      </span>{' '}
    </Fragment>
  ))
}
