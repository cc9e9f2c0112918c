// The last line of every run: "N passed, N failed". A file that cannot be loaded and an error outside
// any test count as failures, so that "0 failed" is only ever printed for a run that succeeded.
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export default class CountsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    let passed = 0;
    let failed = errors.length;
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        if (state === 'failed') failedHere += 1;
      }
      failed += module.state() === 'failed' ? Math.max(failedHere, 1) : failedHere;
    }
    process.stdout.write(`${passed} passed, ${failed} failed\n`);
  }
}
