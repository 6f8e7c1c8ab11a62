/** The quay board: plans of the next hours as rows of text, for a screen that is read from far away. */

export type Plan = { ship: string; berth: number; start: number; end: number; score: number }

/** Rows shown at once. More could not be read from the far end of the quay. */
export const BOARD_ROWS = 8

const pad = (value: number) => String(value).padStart(2, '0')

/** Minutes after midnight as the clock on the quay shows them; days are not shown. */
export const clockText = (minute: number): string => {
  const rest = ((minute % 1440) + 1440) % 1440
  return `${pad(Math.floor(rest / 60))}:${pad(rest % 60)}`
}

/** One row, always 35 characters wide, so that columns stand still while the board turns. */
export function row(plan: Plan): string {
  const ship = plan.ship.slice(0, 16).padEnd(16)
  return `${clockText(plan.start)} ${clockText(plan.end)}  B${plan.berth}  ${ship}  `
}

/** Plans that are not over yet, soonest first. Doubtful ones are marked, as the supervisor asked. */
export function board(plans: Plan[], now: number, doubtfulBelow = 0.8): string[] {
  return plans
    .filter((plan) => plan.end > now)
    .sort((a, b) => a.start - b.start || a.berth - b.berth)
    .slice(0, BOARD_ROWS)
    .map((plan) => (plan.score < doubtfulBelow ? `${row(plan)}?` : row(plan)))
}
