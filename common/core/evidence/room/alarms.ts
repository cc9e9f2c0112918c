import type { Clock } from '../../../clock.ts';
import type { Logger } from '../../../log.ts';
import { Loop } from '../../../loop.ts';
import { coreAlarmMessages } from '../../alarm/alarm-messages.ts';
import { alarmText } from '../../alarm/alarm-text.ts';
import type { AlarmPort } from '../../alarm/port.ts';
import { keepStanding } from '../../alarm/standing.ts';
import type { Called, InstanceNames } from '../../instance/record.ts';
import type { EvidenceLimits, EvidencePort } from '../port.ts';
import { nearlyFull, type Owner, type Room } from './decide.ts';

const INTERVAL_MS = 60_000;
/** Files that find no room are told of at once, and a flood of them no more often than this, ms. */
const REFUSED_MS = 5_000;
const MAX_ALARMS = 200;
/** Begins the keys of these alarms. */
export const EVIDENCE_ROOM = 'evidence_room:';

export interface RoomAlarmsOptions {
  evidence: Pick<EvidencePort, 'use'>;
  alarms: AlarmPort;
  limits: EvidenceLimits;
  self: string;
  names: InstanceNames;
  clock: Clock;
  log: Logger;
}

/** An alarm for each room of the evidence that is nearly full; critical once it is. */
export class EvidenceRoomAlarms {
  readonly loop: Loop;
  readonly #options: RoomAlarmsOptions;
  #refusedAt = -Infinity;

  constructor(options: RoomAlarmsOptions) {
    this.#options = options;
    const { clock, log } = options;
    this.loop = new Loop({
      name: 'room of evidence',
      interval: INTERVAL_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: () => this.look(),
    });
  }

  /** A file found no room: a room may have filled since the last look. */
  refused(): void {
    const now = this.#options.clock.monotonic();
    if (now - this.#refusedAt < REFUSED_MS) return;
    this.#refusedAt = now;
    this.loop.kick();
  }

  async look(): Promise<void> {
    const { evidence, alarms, limits, self, names, clock } = this.#options;
    const now = clock.now();
    const called = await names();
    const found = nearlyFull(await evidence.use(), limits)
      .slice(0, MAX_ALARMS)
      .map(({ owner, room }) => ({ key: keyOf(owner), instance: self, ...told(owner, room, called) }));
    await keepStanding(alarms, { prefix: EVIDENCE_ROOM, instance: self, most: MAX_ALARMS }, found, now);
  }
}

function keyOf(owner: Owner | null): string {
  const { tenantCode = null, instance = null } = owner ?? {};
  return EVIDENCE_ROOM + [tenantCode, instance].filter((one) => one !== null).join('/');
}

function told(owner: Owner | null, { used, limit }: Room, called: Called) {
  const percent = Math.floor((used / limit) * 100);
  const params = { percent, limit };
  const text =
    owner === null
      ? alarmText(coreAlarmMessages, { code: 'evidence_room', params })
      : owner.instance === null
        ? alarmText(coreAlarmMessages, {
            code: 'evidence_room_tenant',
            params: { ...params, tenant: owner.tenantCode },
          })
        : alarmText(coreAlarmMessages, {
            code: 'evidence_room_site',
            params: { ...params, tenant: owner.tenantCode, site: called(owner.instance) },
          });
  return {
    tenantCode: owner?.tenantCode ?? null,
    severity: percent >= 99 ? ('critical' as const) : ('warning' as const),
    ...text,
  };
}
