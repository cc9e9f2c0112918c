import type { Clock } from '../../../common/clock.ts';
import { Turns } from '../episode/turns.ts';
import type { FetchPictures } from '../record.ts';

/** Asked for at once for one message: recorders make few snapshots at a time. */
const AT_ONCE = 4;
/** After so long, ms, no further picture is asked for: what a message tells next waits for this one. */
const ASKING_MS = 5_000;

/** Fetches the pictures of one message's alarms, of a few at a time. What is left out is counted as lost. */
export function limitedFetch(fetch: FetchPictures, clock: Pick<Clock, 'monotonic'>): FetchPictures {
  const until = clock.monotonic() + ASKING_MS;
  const turns = new Turns();
  let asked = 0;
  return (occurrence) => {
    const lane = String(asked++ % AT_ONCE);
    return turns.take(lane, async () => (clock.monotonic() < until ? fetch(occurrence) : []));
  };
}
