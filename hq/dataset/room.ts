// How much of the disk the datasets of a tenant may take: told before it is reached, and when it is.
import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort, RaiseAlarm } from '../../common/core/alarm/port.ts';
import { keepStanding } from '../../common/core/alarm/standing.ts';
import { NEARLY_FULL } from '../../common/core/evidence/room/decide.ts';
import type { Logger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { say } from '../../common/message.ts';
import { hubMessages } from '../hub-messages.ts';
import { usedOf } from './decide.ts';
import type { KeptByTenant, SourcePort } from './port.ts';
import type { LandedShare } from './record.ts';
import { type SourceMessage, sourceReasons } from './source-messages.ts';

const INTERVAL_MS = 60_000;
const MAX_ALARMS = 200;
/** Begins the keys of these alarms. */
const DATASET_ROOM = 'dataset_room:';

/** The page was not taken: the datasets of the tenant have all the room that they may have. */
export class ShareFull extends Error {
  readonly told: SourceMessage;
  constructor(reached: LandedShare, most: LandedShare) {
    const told: SourceMessage = {
      code: 'share_full',
      params: { rows: reached.rows, mostRows: most.rows, bytes: reached.bytes, mostBytes: most.bytes },
    };
    super(say(sourceReasons, told, 'en'));
    this.name = 'ShareFull';
    this.told = told;
  }
}

export interface DatasetRoomOptions {
  sources: Pick<SourcePort, 'kept'>;
  alarms: AlarmPort;
  most: LandedShare;
  /** Name of this instance, for its alarms. */
  self: string;
  clock: Clock;
  log: Logger;
}

/** An alarm for each tenant whose datasets have nearly all the room that they may have. */
export class DatasetRoomAlarms {
  readonly loop: Loop;
  readonly #options: DatasetRoomOptions;

  constructor(options: DatasetRoomOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.loop = new Loop({
      name: 'room of datasets',
      interval: INTERVAL_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.look(),
    });
  }

  async look(): Promise<void> {
    const { sources, alarms, most, self, clock } = this.#options;
    const now = clock.now();
    const found = (await sources.kept())
      .filter((kept) => usedOf(kept, most) >= NEARLY_FULL)
      .slice(0, MAX_ALARMS)
      .map((kept) => roomAlarm(kept, most, self));
    await keepStanding(alarms, { prefix: DATASET_ROOM, instance: null, most: MAX_ALARMS }, found, now);
  }
}

function roomAlarm(kept: KeptByTenant, most: LandedShare, self: string): RaiseAlarm {
  const { tenantCode, largest, rows, bytes } = kept;
  const percent = Math.floor(usedOf(kept, most) * 100);
  const amounts = { percent, rows, mostRows: most.rows, bytes, mostBytes: most.bytes };
  const params = { tenant: tenantCode, ...amounts, ...largest };
  return {
    key: DATASET_ROOM + tenantCode,
    instance: self,
    tenantCode,
    shared: true,
    severity: 'warning',
    ...alarmText(hubMessages, { code: 'dataset_room', params }),
  };
}
