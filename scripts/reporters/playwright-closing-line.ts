import type { Reporter, Suite, TestCase } from '@playwright/test/reporter'

/** Prints `e2e: N passed, N failed, N skipped`, the line that scripts/test.mjs adds up. */
export default class ClosingLine implements Reporter {
  private suite: Suite | undefined
  onBegin(_config: unknown, suite: Suite) {
    this.suite = suite
  }
  onEnd() {
    const tests: TestCase[] = this.suite?.allTests() ?? []
    const count = (outcomes: string[]) => tests.filter((t) => outcomes.includes(t.outcome())).length
    console.log(
      `\ne2e: ${count(['expected'])} passed, ${count(['unexpected', 'flaky'])} failed, ${count(['skipped'])} skipped`,
    )
  }
  printsToStdio() {
    return false
  }
}
