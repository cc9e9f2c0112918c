import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { passedAlarm } from '../../common/core/retention/passed.ts';
import type { Untold } from '../../common/core/retention/record.ts';
import type { Logger } from '../../common/log.ts';
import type { Budget, DiskState, ShedCounts } from './budget.ts';
import type { ShedPort } from './port.ts';

/** An alarm that stands is written again this often, ms, when its text has changed. */
const RETELL_MS = 60_000;

export const DISK_ALARMS = { short: 'disk_short', full: 'disk_full', guard: 'disk_sweep_guard', shed: 'disk_shed' } as const;

export interface DiskAlarmsOptions {
  alarms: AlarmPort;
  shed: Pick<ShedPort, 'state' | 'change'>;
  uplinked: boolean;
  instance: string;
  clock: Clock;
  log: Logger;
}

const deleted = ({ evidence, observations, events }: ShedCounts): number => evidence + observations + events;
/** What there is of each kind, in words. */
function listed({ evidence, observations, events }: ShedCounts): string {
  const kinds = [[evidence, 'evidence file'], [observations, 'observation'], [events, 'event']] as const;
  return kinds.filter(([count]) => count > 0).map(([count, name]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ');
}

/** Coarse: a text that changes is written again. */
const mib = (bytes: number): string => (bytes > 0 && bytes < 1024 ** 2 ? 'less than 1 MiB' : `${Math.round(bytes / 1024 ** 2)} MiB`);

/** What a person is told of the disk. */
export class DiskAlarms {
  #options: DiskAlarmsOptions;
  /** Deleted things of which the alarm has told. */
  #told: number;
  /** What stands, as it was last written; a rewrite in every round would wear the disk. */
  #standing = new Map<string, { message: string; at: number } | null>();

  constructor(options: DiskAlarmsOptions) {
    this.#options = options;
    const { counts, told } = options.shed.state();
    // A store from before this was noted has told, as far as anybody knows.
    this.#told = told ?? deleted(counts);
  }

  /** After a round. A store without room for an alarm is told by the log and the status instead. @param refused requests, since start */
  async tell({ level, room, used, capacity }: Budget, { counts, guardSince }: DiskState, refused: number): Promise<void> {
    const { uplinked, log } = this.#options;
    const relief = uplinked ? 'What headquarters holds is deleted here by itself; where that is not enough, bring back the link to it, make room, or give it a larger disk.' : 'Without headquarters nothing is deleted here: set CORE_RETENTION_EVENTS_DAYS, or give it a larger disk.';
    try {
      await this.#alarm('short', level !== 'ok', 'warning', `The disk is short: ${mib(Math.max(0, room))} left, ${mib(used)} used. ${relief}`, { room, used, capacity });
      await this.#alarm('full', level === 'full', 'critical', `The disk is full: new events are refused and cameras must keep them. ${relief}`, { refused });
      await this.#alarm('guard', guardSince !== null && level !== 'ok', 'critical',
        'Half of what was kept has been deleted for want of room and it is still short; something else may fill the disk. If it is right: fieldline-site disk confirm --by NAME.', null);
      if (deleted(counts) > this.#told) {
        const raised = await this.#alarm('shed', true, 'warning',
          `For want of room were deleted here, all in all: ${listed(counts)}. Headquarters holds the events. When you have seen it: fieldline-site alarms clear ${DISK_ALARMS.shed} --by NAME.`, counts);
        if (raised) await this.#toldOf(deleted(counts));
      }
    } catch (error) {
      log.warn({ err: error, level }, 'the state of the disk could not be written as an alarm');
    }
  }

  /** @returns false when it was told of too short a time ago; the next round tries again */
  async #alarm(name: keyof typeof DISK_ALARMS, stands: boolean, severity: 'warning' | 'critical', message: string, details: unknown): Promise<boolean> {
    const { alarms, instance, clock } = this.#options;
    const key = DISK_ALARMS[name];
    const told = this.#standing.get(key);
    if (!stands) {
      if (told !== null) await alarms.clear(key, instance, clock.now());
      this.#standing.set(key, null);
      return true;
    }
    if (told?.message === message) return true;
    if (told && clock.monotonic() - told.at < RETELL_MS) return false;
    await alarms.raise({ key, instance, tenantCode: null, severity, message, details }, clock.now());
    this.#standing.set(key, { message, at: clock.monotonic() });
    return true;
  }

  /** Durable: what is not told when the program ends is told by the next one. */
  async #toldOf(count: number): Promise<void> {
    this.#told = count;
    await this.#options.shed.change((state) => ({ ...state, told: count }));
  }

  /** A consumer had not confirmed what was deleted. */
  async passed(untold: Untold): Promise<void> {
    const { alarms, instance, clock } = this.#options;
    await alarms.raise(passedAlarm(untold, instance, 'were deleted since the disk was short'), clock.now());
  }
}
