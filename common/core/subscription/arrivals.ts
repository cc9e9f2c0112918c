import type { News } from '../../http/body/waiting-calls.ts';
import { type ConsumerFilter, consumerSees } from '../event/decide.ts';
import { type Served, servedThrough } from './scan.ts';

/** New events that are told apart in one look; of more everybody looks for himself. */
const MOST_TALLIED = 20_000;

/** Whoever waits for events: what it is to see. */
export interface Awaited {
  filter: ConsumerFilter;
  includeTest: boolean;
}

/** Events that have become servable behind an id (spec 2, "Pull rules" 4). */
export async function arrivalsAfter(served: Served, from: number): Promise<News<Awaited> | null> {
  const { events } = served;
  const { highWaterMark } = await events.bounds();
  const through = await servedThrough(served, { after: from, highWaterMark });
  if (through <= from) return null;
  const found = through - from > MOST_TALLIED ? null : await events.tally(from, through - from);
  const isFor = ({ filter, includeTest }: Awaited): boolean =>
    found?.some((event) => consumerSees(filter, event, includeTest)) ?? true;
  return { through, isFor };
}
