import type { Clock } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { keepStanding } from '../../../common/core/alarm/standing.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import type { SiteFacts } from '../schema.ts';
import { isTurnedAway, type Run } from './decide.ts';
import { refusedMessages } from './refused-messages.ts';

const INTERVAL_MS = 15_000;
/** Whatever is posted in the name of however many keys. */
const MOST_ALARMS = 20;
/** Begins the keys of these alarms; the key of the camera follows. */
export const POSTS_REFUSED = 'posts_refused:';

type Camera = Pick<SiteFacts['cameras'][number], 'keyId' | 'name' | 'tenantCode' | 'refused' | 'lastEventAt'>;

export interface RefusedPostsOptions {
  /** The cameras, read anew. */
  cameras: () => Promise<readonly Camera[]>;
  alarms: AlarmPort;
  self: string;
  clock: Clock;
  log: Logger;
}

/**
 * Raises an alarm for each camera all of whose messages are refused. A refused message itself costs a count
 * in memory, of known keys alone: who forges them by the thousand makes no alarm more, and none of a camera
 * that is heard.
 */
export class RefusedPosts {
  readonly loop: Loop;
  readonly #options: RefusedPostsOptions;

  constructor(options: RefusedPostsOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'refused messages of cameras',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: () => this.look(),
    });
  }

  async look(): Promise<void> {
    const { cameras, alarms, self, clock } = this.#options;
    const now = clock.now();
    const found = (await cameras())
      .flatMap((camera) => (camera.refused && isAway(camera, now) ? { camera, refused: camera.refused } : []))
      .slice(0, MOST_ALARMS)
      .map(({ camera: { keyId, name, tenantCode }, refused: { reason, count, since } }) => ({
        key: POSTS_REFUSED + keyId,
        instance: self,
        tenantCode,
        severity: 'warning' as const,
        ...alarmText(refusedMessages, {
          code: 'posts_refused',
          params: { name, keyId, count, since, reason: { code: `posts_refused_${reason}`, params: {} } },
        }),
      }));
    await keepStanding(alarms, { prefix: POSTS_REFUSED, instance: self, most: MOST_ALARMS }, found, now);
  }
}

function isAway({ refused, lastEventAt }: Camera, now: number): boolean {
  if (refused === null) return false;
  const run: Run = { count: refused.count, since: Date.parse(refused.since) };
  return isTurnedAway(run, { last: Date.parse(refused.at), heard: lastEventAt !== null, now });
}
