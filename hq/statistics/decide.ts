// What single counts add up to. Pure.
import { isAsked } from '../../common/core/stats/decide.ts';
import type { StatsFilter } from '../../common/core/stats/port.ts';
import type { EventGroup } from '../../common/core/stats/record.ts';
import type { CameraCount, Standing, Standings } from './record.ts';

export const standingOf = ({ verdict, correctedTo }: Pick<EventGroup, 'verdict' | 'correctedTo'>): Standing =>
  correctedTo ?? verdict ?? 'none';

/** Whether events of a group are counted. */
export const isCounted = (
  group: EventGroup,
  { filter, includeTest }: { filter: StatsFilter; includeTest: boolean },
): boolean => (includeTest || !group.test) && isAsked(group, filter);

/** Sums events by a key and by how they stand. */
export class StandingTally {
  #sums = new Map<string, Standings>();

  /** @param by may be negative, for an event that is counted as something else */
  add(key: string, standing: Standing, by: number): void {
    const sums = this.#sums.get(key) ?? { confirmed: 0, false_alarm: 0, merged: 0, none: 0 };
    sums[standing] += by;
    this.#sums.set(key, sums);
  }

  take(): [key: string, Standings][] {
    return [...this.#sums].filter(([, sums]) => totalOf(sums) > 0);
  }
}

export const totalOf = ({ confirmed, false_alarm, merged, none }: Standings): number =>
  confirmed + false_alarm + merged + none;

/** Who rang falsely most often comes first, then who rang most; the same counts give the same order. */
export const noisiestFirst = (cameras: readonly CameraCount[]): CameraCount[] =>
  cameras.toSorted(
    (a, b) => b.false_alarm - a.false_alarm || totalOf(b) - totalOf(a) || (keyOf(a) < keyOf(b) ? -1 : 1),
  );

const keyOf = ({ instance, siteRef, cameraRef }: CameraCount): string =>
  JSON.stringify([instance, siteRef, cameraRef]);
