import { Fragment, type ReactNode } from 'react'

/** Facts in one line, parted by dots; where the line is too short it breaks between them and never inside one. */
export const Facts = ({ facts }: { facts: readonly ReactNode[] }) =>
  facts.filter(Boolean).map((fact, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: facts of one line keep their places
    <Fragment key={i}>
      {i > 0 ? ' ' : null}
      <span className="whitespace-nowrap">
        {i > 0 ? '· ' : null}
        {fact}
      </span>
    </Fragment>
  ))
