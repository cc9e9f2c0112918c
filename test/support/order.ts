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

/** Files whose tests drive the browser. */
const BROWSER = /^test\/(?:console|site\/status-page)/;

/**
 * A fresh clone knows no durations to sort by: these go first, of each the larger file before the smaller.
 * Files that drive the browser take the processors, many others wait: they are mixed, since the browser's own
 * among themselves stand in each other's way.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = path.resolve(import.meta.dirname, '..');
    const rank = ({ moduleId }: TestSpecification): number => {
      const file = path.relative(root, moduleId);
      const at = LONG.findIndex((long) => file === long || file.startsWith(`${long}${path.sep}`));
      return at < 0 ? LONG.length : at;
    };
    const sorted = (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
    const drawn = ({ moduleId }: TestSpecification): boolean => BROWSER.test(path.relative(root, moduleId));
    return spread(
      sorted.filter(drawn),
      sorted.filter((file) => !drawn(file)),
    );
  }
}

/** Of two lists one, in which the shorter is spread over the first half of the longer. */
function spread<T>(few: readonly T[], many: readonly T[]): T[] {
  const step = Math.max(1, Math.floor(many.length / (few.length * 2 || 1)));
  const mixed = many.flatMap((one, index) => {
    const next = index % step === 0 ? few[index / step] : undefined;
    return next === undefined ? [one] : [one, next];
  });
  return [...mixed, ...few.slice(Math.ceil(many.length / step))];
}
