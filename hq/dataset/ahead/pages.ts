// Pages that are asked for while the one before is still being stored.
import { parsePosition } from '../../../common/dataset/position.ts';
import { ContractBroken } from '../contract.ts';
import type { CheckedPage } from '../page-check.ts';

/** The outcome of a page that was requested ahead; a failure is thrown only when it is the page's turn. */
export type Asked = { page: CheckedPage } | { failure: unknown };

export const asked = (page: Promise<CheckedPage>): Promise<Asked> =>
  page.then(
    (value) => ({ page: value }),
    (failure: unknown) => ({ failure }),
  );

/** @throws what went wrong with the page */
export function pageOf(outcome: Asked): CheckedPage {
  if ('failure' in outcome) throw outcome.failure;
  return outcome.page;
}

/** Notices a source that gives what it gave before: cursors of one update time, since times only rise. */
export class Repeats {
  #time = '';
  #seen = new Set<string>();

  /** @throws ContractBroken */
  check(cursor: string): void {
    const { updatedAt, pk } = parsePosition(cursor) ?? { updatedAt: '', pk: '' };
    if (updatedAt !== this.#time) this.#seen.clear();
    this.#time = updatedAt;
    if (this.#seen.has(pk))
      throw new ContractBroken(
        'no_progress',
        { code: 'page_repeats', params: { cursor } },
        {
          cursor,
        },
      );
    this.#seen.add(pk);
  }
}
