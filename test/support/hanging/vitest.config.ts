// A run of its own for test/hang-reporter.test.ts: its tests hang until whoever started the run ends it.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.hang.ts'],
    pool: 'forks',
    testTimeout: 0,
    hookTimeout: 0,
    reporters: [['../hang-reporter.ts', { namedAfterMs: 50, lookEveryMs: 10 }]],
  },
});
