import type { Reporter, TestModule } from 'vitest/node'

/** Prints `unit: N passed, N failed, N skipped`, the line that scripts/test.mjs adds up; CLOSING_LINE names another suite. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<unknown>) {
    const count = { passed: 0, failed: errors.length, skipped: 0 }
    for (const module of modules) {
      const tests = [...module.children.allTests()]
      if (module.state() === 'failed' && tests.length === 0) count.failed++
      for (const test of tests) {
        const { state } = test.result()
        count[state === 'passed' || state === 'failed' ? state : 'skipped']++
      }
    }
    const name = process.env.CLOSING_LINE ?? 'unit'
    console.log(
      `\n${name}: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`,
    )
  }
}
