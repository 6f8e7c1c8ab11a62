import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createWatchdog } from './anthropic-watchdog'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const limits = { first: 1000, idle: 100 }
const never = new Promise<never>(() => undefined)

it('counts only time spent waiting, so a slow reader never looks like a silent provider', async () => {
  const bark = vi.fn()
  const watchdog = createWatchdog(limits, bark)
  watchdog.started()
  await watchdog.guard(Promise.resolve('piece'))
  vi.advanceTimersByTime(10_000)
  watchdog.touch()
  vi.advanceTimersByTime(10_000)
  expect(bark).not.toHaveBeenCalled()
  void watchdog.guard(never)
  vi.advanceTimersByTime(100)
  expect(bark).toHaveBeenCalledOnce()
  expect(watchdog.fired).toBe(true)
})

it('starts anew with every byte', () => {
  const bark = vi.fn()
  const watchdog = createWatchdog(limits, bark)
  watchdog.started()
  void watchdog.guard(never)
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(99)
    watchdog.touch()
  }
  expect(bark).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(bark).toHaveBeenCalledOnce()
})

it('allows the first event its own, longer time', () => {
  const bark = vi.fn()
  const watchdog = createWatchdog(limits, bark)
  void watchdog.guard(never)
  vi.advanceTimersByTime(999)
  expect(bark).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(bark).toHaveBeenCalledOnce()
})
