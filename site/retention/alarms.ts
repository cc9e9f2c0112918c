import type { Clock } from '../../common/clock.ts';
import { alarmText } from '../../common/core/alarm/alarm-text.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { lossAlarm } from '../../common/core/retention/loss-alarm.ts';
import type { UnreportedLoss } from '../../common/core/retention/record.ts';
import type { Logger } from '../../common/log.ts';
import type { Message } from '../../common/message.ts';
import { type SiteMessage, siteMessages } from '../site-messages.ts';
import type { Budget, DiskState, EvictionCounts } from './budget.ts';
import type { EvictionPort } from './port.ts';

/** An alarm that stands is written again this often, ms, when its text has changed. */
const RETELL_MS = 60_000;
/** The same of what was deleted: somebody may be looking while it goes. */
const RETELL_DELETED_MS = 10_000;

export const DISK_ALARMS = {
  short: 'disk_short',
  full: 'disk_full',
  guard: 'disk_sweep_guard',
  shed: 'disk_shed',
  lost: 'evidence_lost',
} as const;

export interface DiskAlarmsOptions {
  alarms: AlarmPort;
  eviction: Pick<EvictionPort, 'state' | 'change'>;
  uplinked: boolean;
  instance: string;
  clock: Clock;
  log: Logger;
}

const deleted = ({ evidence, observations, events }: EvictionCounts): number =>
  evidence + observations + events;
/** Names what was deleted of each kind; nothing for a kind of which there is none. */
function listed({ evidence, observations, events }: EvictionCounts): Message[] {
  const kinds = [
    [evidence, 'shed_evidence'],
    [observations, 'shed_observations'],
    [events, 'shed_events'],
  ] as const;
  return kinds.filter(([count]) => count > 0).map(([count, code]) => ({ code, params: { count } }));
}

/** Rounded coarsely, since an alarm whose text changes is written again. */
const mib = (bytes: number): string =>
  bytes > 0 && bytes < 1024 ** 2 ? '< 1 MiB' : `${Math.round(bytes / 1024 ** 2)} MiB`;

/** One cause, one alarm: a disk that is full is also short, and what has stopped deleting says why. */
function standingOf(level: Budget['level'], guarded: boolean): 'short' | 'full' | 'guard' | null {
  if (level === 'ok') return null;
  if (level === 'full') return 'full';
  return guarded ? 'guard' : 'short';
}

interface Says {
  severity: 'warning' | 'critical';
  message: SiteMessage;
  details: object;
}

/** The alarms about the disk. */
export class DiskAlarms {
  readonly #options: DiskAlarmsOptions;
  /** Deleted things of which the alarms have told. */
  #told: { told: number; toldLost: number };
  /** What stands, as it was last written; a rewrite in every round would wear the disk. */
  #standing = new Map<string, { message: string; at: number } | null>();

  constructor(options: DiskAlarmsOptions) {
    this.#options = options;
    const { told, toldLost } = options.eviction.state();
    this.#told = { told, toldLost };
  }

  /**
   * After a round. A store without room for an alarm is told by the log and the status instead. @param
   * refused requests, since start
   */
  async tell(
    { level, room, used, capacity }: Budget,
    { counts, guardSince }: DiskState,
    refused: number,
  ): Promise<void> {
    const relief = { code: this.#options.uplinked ? 'relief_with_hub' : 'relief_without_hub', params: {} };
    try {
      const stands = standingOf(level, guardSince !== null);
      await this.#alarm('short', stands === 'short', {
        severity: 'warning',
        details: { room, used, capacity },
        message: { code: 'disk_short', params: { room: mib(Math.max(0, room)), used: mib(used), relief } },
      });
      await this.#alarm('full', stands === 'full', {
        severity: 'critical',
        message: { code: guardSince === null ? 'disk_full' : 'disk_full_guarded', params: { relief } },
        details: { room, used, capacity, refused },
      });
      await this.#alarm('guard', stands === 'guard', {
        severity: 'critical',
        message: { code: 'disk_sweep_guard', params: {} },
        details: {},
      });
      await this.#tellDeleted(counts);
    } catch (error) {
      this.#options.log.warn({ err: error, level }, 'the state of the disk could not be written as an alarm');
    }
  }

  async #tellDeleted(counts: EvictionCounts): Promise<void> {
    if (counts.lost > this.#told.toldLost) {
      const raised = await this.#alarm('lost', true, {
        severity: 'critical',
        message: { code: 'evidence_lost', params: { count: counts.lost } },
        details: { lost: counts.lost, lostBytes: counts.lostBytes },
      });
      if (raised) await this.#toldOf({ toldLost: counts.lost });
    }
    if (deleted(counts) <= this.#told.told) return;
    const raised = await this.#alarm('shed', true, {
      severity: 'warning',
      message: { code: 'disk_shed', params: { deleted: listed(counts) } },
      details: counts,
    });
    if (raised) await this.#toldOf({ told: deleted(counts) });
  }

  /** @returns false when it was told of too short a time ago; the next round tries again */
  async #alarm(
    name: keyof typeof DISK_ALARMS,
    stands: boolean,
    { severity, message, details }: Says,
  ): Promise<boolean> {
    const key = DISK_ALARMS[name];
    const before = this.#standing.get(key);
    if (!stands) {
      if (before !== null)
        await this.#options.alarms.clear(key, this.#options.instance, this.#options.clock.now());
      this.#standing.set(key, null);
      return true;
    }
    const text = alarmText(siteMessages, message, details);
    if (before?.message === text.message) return true;
    const every = name === 'shed' || name === 'lost' ? RETELL_DELETED_MS : RETELL_MS;
    if (before && this.#options.clock.monotonic() - before.at < every) return false;
    await this.#options.alarms.raise(
      { key, instance: this.#options.instance, tenantCode: null, severity, ...text },
      this.#options.clock.now(),
    );
    this.#standing.set(key, { message: text.message, at: this.#options.clock.monotonic() });
    return true;
  }

  /**
   * Notes durably of how many deletions the alarm has told; after a stop the next process tells the others.
   */
  async #toldOf(told: Partial<Pick<DiskState, 'told' | 'toldLost'>>): Promise<void> {
    this.#told = { ...this.#told, ...told };
    await this.#options.eviction.change((state) => ({ ...state, ...told }));
  }

  /** A consumer had not confirmed what was deleted. */
  async passed(untold: UnreportedLoss): Promise<void> {
    await this.#options.alarms.raise(
      lossAlarm(untold, this.#options.instance, 'disk_was_short'),
      this.#options.clock.now(),
    );
  }
}
