import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import type { PictureKeeper } from './picture/keep.ts';
import type { Recorder, RecorderOptions } from './recorder.ts';

/** How often alarms are looked for that fell silent, ms. */
const SWEEP_MS = 2_000;
/** How often episodes that are long over are let go, ms. */
const PRUNE_MS = 3_600_000;

export interface SweepParts {
  recorder: Recorder;
  pictures: PictureKeeper;
  deviceOf: RecorderOptions['deviceOf'];
  clock: Clock;
  log: Logger;
}

/** Ends alarms that fell silent, and keeps pictures whose event has come. Begun with the first device. */
export function sweepLoop({ recorder, pictures, deviceOf, clock, log }: SweepParts): Loop {
  let prunedAt = -Infinity;
  return new Loop({
    name: 'device alarms',
    interval: SWEEP_MS,
    log,
    round: async () => {
      let settled = false;
      try {
        await recorder.episodes.sweep(deviceOf);
        settled = true;
      } finally {
        await pictures.takeUp(settled);
      }
      if (clock.monotonic() - prunedAt < PRUNE_MS) return;
      await recorder.episodes.prune();
      prunedAt = clock.monotonic();
    },
  });
}
