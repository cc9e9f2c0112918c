import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LongFirst } from './support/order.ts';

export default defineConfig({
  root: path.dirname(import.meta.dirname),
  test: {
    include: ['test/**/*.test.ts'],
    environment: 'node',
    globalSetup: ['test/support/global.ts'],
    // Native modules are not safe to load in many threads of one process.
    pool: 'forks',
    // Loading the program anew for every file would take a third of the whole time; no module keeps state
    // that a test could leave behind.
    isolate: false,
    // Two more than the cores: many tests wait for a peer, a clock or a process. Six took longer: they wait
    // for the one Postgres and for the browser.
    maxWorkers: 4,
    sequence: { sequencer: LongFirst },
    // A machine under load takes ten times as long as one at rest. The reporter names what hangs long before.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    reporters: ['default', './test/support/counts.ts', './test/support/hang-reporter.ts'],
  },
});
