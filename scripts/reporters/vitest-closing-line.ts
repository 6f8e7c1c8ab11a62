import type { Reporter, TestModule } from 'vitest/node'

/** Prints `unit: N passed, N failed, N skipped`, the line that scripts/test.mjs adds up. */
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
    console.log(`\nunit: ${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`)
  }
}
