import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { AlarmPort } from '../alarm/port.ts';
import type { EventPort } from '../event/port.ts';
import type { EvidenceFiles } from './files.ts';
import type { EvidencePort } from './port.ts';

const INTERVAL_MS = 24 * 3_600_000;
/**
 * The row follows its file within moments; a file this old without one was left by a process that died in
 * between.
 */
const LEFT_AFTER_MS = 3_600_000;

/**
 * So many may be left by processes that were ended; more than that, and more than half of all files, and it
 * is the store that is another one.
 */
const FEW = 20;

export const ORPHANS_ALARM = 'evidence_orphans';
/** While a person has not dealt with these, a file without a row may be all that is left of its event. */
const BROKEN_STORE = new Set(['store_salvaged', 'store_lost']);
const EVERY_ALARM = 1_000;

export interface OrphanOptions {
  events: Pick<EventPort, 'get'>;
  evidence: Pick<EvidencePort, 'ofEvent'>;
  files: EvidenceFiles;
  /** Whether a file of the event is on its way into this process. */
  arriving: (eventId: number) => boolean;
  /** Epoch ms by the clock of the file system. */
  fileTime: () => number;
  alarms: AlarmPort;
  /** Instance under which the alarm stands. */
  self: string;
  /** Epoch ms. */
  now: () => number;
  log: Logger;
}

interface Kept {
  eventId: number;
  sha256: string;
  named: boolean;
}

/**
 * Removes files that no row names: a stop between a file and its row leaves one, and the camera may never
 * send it again. Where most files are without a row the store was lost or replaced, and the files are the
 * last that is left: a person decides on them.
 */
export class EvidenceOrphans {
  readonly loop: Loop;
  readonly #options: OrphanOptions;

  constructor(options: OrphanOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'evidence orphans',
      interval: INTERVAL_MS,
      log: options.log,
      round: async (signal) => void (await this.round(signal)),
    });
  }

  /** @returns how many were removed */
  async round(signal: AbortSignal): Promise<number> {
    let total = 0;
    let orphans = 0;
    for await (const { named } of this.#kept(signal)) {
      total += 1;
      if (!named) orphans += 1;
    }
    if (signal.aborted) return 0;
    if ((orphans > FEW && orphans * 2 > total) || (orphans > 0 && (await this.#storeIsBroken()))) {
      this.#options.log.error(
        { files: total, orphans },
        'evidence files belong to no event of this store, which was lost, damaged or replaced; they ' +
          'are left where they are',
      );
      await this.#options.alarms.raise(
        {
          key: ORPHANS_ALARM,
          instance: this.#options.self,
          tenantCode: null,
          severity: 'warning',
          ...alarmText(
            coreAlarmMessages,
            { code: 'evidence_orphans', params: { files: total, orphans } },
            { files: total, orphans },
          ),
        },
        this.#options.now(),
      );
      return 0;
    }
    await this.#options.alarms.clear(ORPHANS_ALARM, this.#options.self, this.#options.now());
    if (orphans === 0) return 0;
    let removed = 0;
    for await (const { eventId, sha256, named } of this.#kept(signal)) {
      if (named) continue;
      await this.#options.files.remove(eventId, sha256);
      removed += 1;
    }
    if (removed > 0)
      this.#options.log.info({ files: removed }, 'evidence files that no event names were removed');
    return removed;
  }

  async #storeIsBroken(): Promise<boolean> {
    const standing = await this.#options.alarms.list(
      { tenantCode: null, includeCleared: false },
      EVERY_ALARM,
    );
    return standing.some(({ key, instance }) => instance === this.#options.self && BROKEN_STORE.has(key));
  }

  async *#kept(signal: AbortSignal): AsyncGenerator<Kept> {
    for await (const { eventId, names } of this.#options.files.kept(
      this.#options.fileTime() - LEFT_AFTER_MS,
    )) {
      if (signal.aborted) return;
      if (this.#options.arriving(eventId)) continue;
      const known = await this.#known(eventId);
      for (const sha256 of names) yield { eventId, sha256, named: known.has(sha256) };
      await nextTurn();
    }
  }

  async #known(eventId: number): Promise<Set<string>> {
    const event = await this.#options.events.get(eventId);
    if (!event) return new Set();
    return new Set(
      (await this.#options.evidence.ofEvent(event.tenantCode, eventId)).map(({ sha256 }) => sha256),
    );
  }
}
