import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Folders with files that wait for processes and clocks; begun last, one of them would run alone at the end.
 */
const LONG = ['fault', 'e2e', 'contract', 'site'];

/**
 * A fresh clone knows no durations to sort by: whole folders go first, the larger file of a folder before the
 * smaller.
 */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const root = path.resolve(import.meta.dirname, '..');
    const rank = ({ moduleId }: TestSpecification): number => {
      const at = LONG.indexOf(path.relative(root, moduleId).split(path.sep)[0] ?? '');
      return at < 0 ? LONG.length : at;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
