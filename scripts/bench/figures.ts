/** A figure of the bench: a measured value beside a baseline of the same run, and the ratio it must keep. */

export type Figure = {
  name: string
  /** Milliseconds, or what `unit` says. */
  value: number
  baseline: number
  unit: string
  /** `value / baseline`. */
  ratio: number
  /** The ratio must not be above this. */
  atMost: number
  ok: boolean
}

const round = (value: number) => Number(value.toPrecision(4))

export function figure(
  name: string,
  value: number,
  baseline: number,
  atMost: number,
  unit = 'ms',
): Figure {
  const ratio = value / baseline
  return {
    name,
    value: round(value),
    baseline: round(baseline),
    unit,
    ratio: round(ratio),
    atMost,
    ok: ratio <= atMost,
  }
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] as number

/** Milliseconds of each of `runs` calls, after one that warms up. */
export async function time(runs: number, work: (run: number) => unknown): Promise<number[]> {
  await work(-1)
  const times: number[] = []
  for (let run = 0; run < runs; run++) {
    const start = performance.now()
    await work(run)
    times.push(performance.now() - start)
  }
  return times
}

/** The value below which `share` of the values lie. */
export const sortedAt = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor(values.length * share))
  ] as number

export const elapsed = async (work: () => unknown): Promise<number> => {
  const start = performance.now()
  await work()
  return performance.now() - start
}
