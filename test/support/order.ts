import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes a minute alone or waits for processes and clocks; begun last, one of them would run alone at the
 * end.
 */
const LONG = [
  'e2e/never-well.test.ts',
  'contract/hub.test.ts',
  'site/intake/dahua.test.ts',
  'hq/policy/ingest.test.ts',
  'console/matrix',
  'hq/two-hubs.test.ts',
  'fault/kill.test.ts',
  'e2e/demo.test.ts',
  'architecture.test.ts',
  'hq/dataset',
  'e2e/openapi.test.ts',
  'fault',
  'e2e',
  'contract',
  'site',
  'hq',
  'console',
];

/**
 * A fresh clone knows no durations to sort by: these go first, of each the larger file before the smaller.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = path.resolve(import.meta.dirname, '..');
    const rank = ({ moduleId }: TestSpecification): number => {
      const file = path.relative(root, moduleId);
      const at = LONG.findIndex((long) => file === long || file.startsWith(`${long}${path.sep}`));
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
