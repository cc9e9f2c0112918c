import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';

/**
 * How often the index of events is brought up to date, ms. Lists and statistics read newer events row by row.
 */
const INDEX_EVERY_MS = 1_000;
/** Full rounds in a row after which the log says that the index of events is behind. */
const BEHIND_ROUNDS = 10;

export interface EventIndexLoopParts {
  index: { round(): Promise<RoundResult> };
  clock: Clock;
  log: Logger;
}

/** Keeps the index up to what is stored, and says when that takes long. */
export function eventIndexLoop({ index, clock, log }: EventIndexLoopParts): Loop {
  let rounds = 0;
  const round = async (): Promise<RoundResult> => {
    const result = await index.round();
    const before = rounds;
    rounds = result.again ? rounds + 1 : 0;
    if (rounds === BEHIND_ROUNDS)
      log.info('the index of events is being made; lists and statistics take longer until it is');
    if (rounds === 0 && before >= BEHIND_ROUNDS) log.info('the index of events is made');
    return result;
  };
  return new Loop({
    name: 'event index',
    interval: INDEX_EVERY_MS,
    log,
    monotonic: () => clock.monotonic(),
    round,
  });
}
