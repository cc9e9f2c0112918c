import type { ClockMarks } from '../../status/port.ts';
import type { GroupCommit } from '../engine/group-commit.ts';

const SLICE = 200;

/**
 * Marks events whose receipt times come from a clock that was wrong. The mark stands in the text of the
 * event, which readers and the uplink take as it is.
 */
export class SiteClockMarks implements ClockMarks {
  #group: GroupCommit;

  constructor(group: GroupCommit) {
    this.#group = group;
  }

  async mark(after: number, since: number): Promise<number> {
    const { sqlite } = this.#group;
    const next = sqlite
      .prepare<[number, number], number>('SELECT id FROM events WHERE id > ? ORDER BY id LIMIT ?')
      .pluck();
    const mark = sqlite.prepare<[number, number, number]>(
      `UPDATE events SET doc = CASE doc WHEN '{}' THEN '{"clockSuspect":true}'
        ELSE '{"clockSuspect":true,' || substr(doc, 2) END
       WHERE id >= ? AND id <= ? AND received_at >= ? AND doc NOT LIKE '{"clockSuspect":%'`,
    );
    let marked = 0;
    for (let at = after; ;) {
      const ids = next.all(at, SLICE);
      const [first, last] = [ids[0], ids.at(-1)];
      if (first === undefined || last === undefined) return marked;
      marked += await this.#group.write(() => mark.run(first, last, since).changes);
      at = last;
    }
  }
}
