import { type Clock, stampOf } from '../../../common/clock.ts';
import { alarmText } from '../../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../../common/core/alarm/port.ts';
import { takeEach } from '../../../common/core/left-out/row-by-row.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { Hearing } from '../../receiver/silence/hearing.ts';
import type { RolloutPort } from './port.ts';
import type { Rollout } from './record.ts';
import { rolloutMessages } from './rollout-messages.ts';

const LOOK_EVERY_MS = 10_000;
const CODE = 'rollout_paused';
/** More than rollouts there can be at a time. */
const EVERY = 10_000;

export interface ConductorOptions {
  rollouts: Pick<RolloutPort, 'open' | 'goOn'>;
  alarms: Pick<AlarmPort, 'list' | 'raise' | 'clear'>;
  /** Name of headquarters, under which it raises alarms. */
  instance: string;
  clock: Clock;
  log: Logger;
}

/**
 * Lets rollouts go on. Every hub runs it; each rollout is decided on by one at a time, which holds its row.
 * An alarm stands for each that has paused itself, by what the store says, so that it is raised also where
 * the process that paused it has died.
 */
export class RolloutConductor {
  readonly loop: Loop;
  readonly #options: ConductorOptions;
  #hearing: Hearing;

  constructor(options: ConductorOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.#hearing = new Hearing(clock);
    this.loop = new Loop({
      name: 'rollouts',
      interval: LOOK_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: async () => ({ again: await this.#round() }),
    });
  }

  async #round(): Promise<boolean> {
    const { rollouts, clock } = this.#options;
    try {
      let more = false;
      const hearing = this.#hearing.look(clock.now());
      await takeEach(await rollouts.open(), async ({ id }) => {
        more = (await rollouts.goOn(id, hearing, stampOf(clock))) || more;
      });
      await this.#tell(await rollouts.open());
      return more;
    } catch (error) {
      this.#hearing.lost();
      throw error;
    }
  }

  async #tell(open: readonly Rollout[]): Promise<void> {
    const { alarms, instance, clock } = this.#options;
    const paused = open.filter(({ state, reason }) => state === 'paused' && reason !== null);
    const keys = new Map(paused.map((rollout) => [`${CODE}:${rollout.id}`, rollout]));
    const filter = { tenantCode: null, includeCleared: false, keys: [`${CODE}:`], instance };
    const standing = new Set((await alarms.list(filter, EVERY)).map(({ key }) => key));
    for (const key of standing) if (!keys.has(key)) await alarms.clear(key, instance, clock.now());
    for (const [key, { id, version, boundTo, reason }] of keys) {
      if (standing.has(key) || !reason) continue;
      const text = alarmText(
        rolloutMessages,
        { code: CODE, params: { id, version, reason } },
        { rollout: id },
      );
      const kind = { instance, tenantCode: boundTo, severity: 'warning', shared: true } as const;
      await alarms.raise({ key, ...kind, ...text }, clock.now());
    }
  }
}
