/** Numbers for people: short on screen, exact on hover (`exact`). English, tabular. */

const grouped = new Intl.NumberFormat('en-US')
const trim = (value: number, digits: number): string => String(Number(value.toFixed(digits)))

/** `148,116` */
export const exact = (value: number): string => grouped.format(Math.round(value))

/** Tokens, characters, counts: `0`, `912`, `31.2k`, `162k`, `1.25M`. */
export function short(value: number): string {
  const size = Math.abs(value)
  if (size < 999.5) return String(Math.round(value))
  if (size < 99_950) return `${trim(value / 1000, 1)}k`
  if (size < 999_500) return `${Math.round(value / 1000)}k`
  return `${trim(value / 1_000_000, 2)}M`
}

/** Milliseconds: `840 ms`, `6.2 s`, `42 s`, `3 min 5 s`, `2 h 10 min`, `2.5 days`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 9.95) return `${trim(seconds, 1)} s`
  if (seconds < 59.5) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return whole % 60 ? `${minutes} min ${whole % 60} s` : `${minutes} min`
  if (minutes >= 2880) return `${trim(minutes / 1440, 1)} days`
  return minutes % 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes / 60} h`
}

/** Dollars: `$0`, `<$0.001`, `$0.031`, `$1.24`. */
export function money(dollars: number): string {
  if (dollars === 0) return '$0'
  if (dollars < 0.001) return '<$0.001'
  return `$${dollars < 1 ? trim(dollars, 3) : dollars.toFixed(2)}`
}

/** Bytes, decimal as browsers and disks count: `812 B`, `31.2 kB`, `4.8 MB`. */
export function bytes(size: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  let value = size
  let unit = 0
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 99.95 ? Math.round(value) : trim(value, 1)} ${units[unit]}`
}

/** A share between 0 and 1: `0 %` never hides something, nor does `100 %` what is missing. */
export function percent(share: number): string {
  if (share > 0 && share < 0.01) return '<1%'
  if (share < 1 && share > 0.99) return '>99%'
  return `${Math.round(share * 100)}%`
}

/** `1 event`, `8,412 events`, `no compactions`. */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  if (value === 0) return `no ${plural}`
  return `${exact(value)} ${value === 1 ? noun : plural}`
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayOf = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric' })
const dayOfYear = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
})
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

/** A moment as seen from `now`, both Unix ms: `just now`, `5 min ago`, `14:02`, `Nov 2`, `Nov 2, 2024`. */
export function when(time: number, now: number): string {
  const age = now - time
  if (age < 60_000 && age > -60_000) return 'just now'
  if (age > 0 && age < 3_600_000) return `${Math.floor(age / 60_000)} min ago`
  const date = new Date(time)
  const today = new Date(now)
  if (date.toDateString() === today.toDateString()) return clock.format(date)
  return date.getFullYear() === today.getFullYear() ? dayOf.format(date) : dayOfYear.format(date)
}

/** `2 Nov 2026, 14:02:11`, for hovers. */
export const moment = (time: number): string => full.format(new Date(time))

/** The first line that says something, cut at `max` characters on a code point. */
export function firstLine(text: string, max = 120): string {
  const line = text.split('\n').find((row) => row.trim() !== '') ?? ''
  const points = [...line.trim()]
  return points.length > max ? `${points.slice(0, max - 1).join('')}…` : points.join('')
}
