import type { Clock } from '../../common/clock.ts';
import type { AlarmPort } from '../../common/core/alarm/port.ts';
import { clearAlarms, failureAlarm, sourceAlarm, sourceAlarmKey, troubleOf } from './alarm.ts';
import { ContractBroken } from './contract.ts';
import type { PullPort } from './port.ts';
import type { PullLease, Source } from './record.ts';
import { ShareFull } from './room.ts';

/** Failures in a row of a dataset from which on a person is told; what only a person can mend at once. */
const ALARM_AT = 3;

/** A dataset that could not be read in a run. */
export interface Unread {
  dataset: string;
  /** Failed runs in a row. */
  failures: number;
  thrown: unknown;
}

export interface PullFailuresOptions {
  port: PullPort;
  alarms: AlarmPort;
  clock: Clock;
  /** Name of this instance, for its alarms. */
  self: string;
  counts: { refused: number; failed: number; full: number };
}

/**
 * Notes what went wrong with pulls, and tells a person of it once a cause. An alarm goes again when the lease
 * was lost meanwhile: the source was removed or changed since the failure, and the alarm would ask people to
 * look at something that no longer exists.
 */
export class PullFailures {
  readonly #options: PullFailuresOptions;

  constructor(options: PullFailuresOptions) {
    this.#options = options;
  }

  /** @returns what the end of the run is to tell; null for what was told at once, or without the lease */
  async ofDataset(
    source: Source,
    lease: PullLease,
    dataset: string,
    thrown: unknown,
  ): Promise<Unread | null> {
    const failures = await this.#note(lease, dataset, thrown);
    if (failures === null) return null;
    if (!isForPeople(thrown)) return { dataset, failures, thrown };
    await this.#tellOf(source, lease, { dataset, failures, thrown });
    return null;
  }

  /** The source as a whole could not be asked what it offers. */
  async ofSource(source: Source, lease: PullLease, thrown: unknown): Promise<void> {
    const unread: Unread[] = [];
    for (const { dataset } of source.datasets) {
      const failures = await this.#note(lease, dataset, thrown);
      if (failures !== null) unread.push({ dataset, failures, thrown });
    }
    await this.#tellAll(source, lease, unread);
  }

  /** At the end of a run. @param tried datasets that were asked for */
  async tell(source: Source, lease: PullLease, unread: readonly Unread[], tried: number): Promise<void> {
    if (tried > 1 && unread.length === tried) return this.#tellAll(source, lease, unread);
    await this.#options.alarms.clear(sourceAlarmKey(source.id), null, this.#options.clock.now());
    for (const one of unread.filter(isToBeTold)) await this.#tellOf(source, lease, one);
  }

  async #tellOf(source: Source, lease: PullLease, unread: Unread): Promise<void> {
    await this.#options.alarms.raise(
      failureAlarm({ source, ...unread, instance: this.#options.self }),
      this.#options.clock.now(),
    );
    if (!(await this.#options.port.renew(lease)))
      await clearAlarms(
        this.#options.alarms,
        { sourceId: source.id, datasets: [unread.dataset] },
        this.#options.clock.now(),
      );
  }

  /** Whatever the dataset, it is one cause and one alarm. */
  async #tellAll(source: Source, lease: PullLease, unread: readonly Unread[]): Promise<void> {
    const [worst] = unread.filter(isToBeTold).sort((a, b) => b.failures - a.failures);
    if (!worst) return;
    const datasets = unread.map(({ dataset }) => dataset);
    const { failures, thrown } = worst;
    await this.#options.alarms.raise(
      sourceAlarm({ source, failures, thrown, instance: this.#options.self }),
      this.#options.clock.now(),
    );
    if (!(await this.#options.port.renew(lease)))
      await this.#options.alarms.clear(sourceAlarmKey(source.id), null, this.#options.clock.now());
    await clearAlarms(
      this.#options.alarms,
      { sourceId: source.id, datasets, kinds: ['pull'] },
      this.#options.clock.now(),
    );
  }

  /** @returns failures in a row; null when the lease is lost */
  #note(lease: PullLease, dataset: string, thrown: unknown): Promise<number | null> {
    const kind =
      thrown instanceof ContractBroken ? 'refused' : thrown instanceof ShareFull ? 'full' : 'failed';
    this.#options.counts[kind] += 1;
    return this.#options.port.failed(lease, dataset, troubleOf(thrown), this.#options.clock.now());
  }
}

const isForPeople = (thrown: unknown): boolean =>
  thrown instanceof ContractBroken || thrown instanceof ShareFull;
const isToBeTold = ({ failures, thrown }: Unread): boolean => isForPeople(thrown) || failures >= ALARM_AT;
