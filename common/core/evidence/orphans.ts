import { setImmediate as nextTurn } from 'node:timers/promises';
import { Loop } from '../../loop.ts';
import type { Logger } from '../../log.ts';
import type { EventPort } from '../event/port.ts';
import type { EvidenceFiles } from './files.ts';
import type { EvidencePort } from './port.ts';

const INTERVAL_MS = 24 * 3_600_000;
/** The row follows its file within moments; a file this old without one was left by a process that died in between. */
const LEFT_AFTER_MS = 3_600_000;

export interface OrphanOptions {
  events: Pick<EventPort, 'get'>;
  evidence: Pick<EvidencePort, 'ofEvent'>;
  files: EvidenceFiles;
  /** Whether a file of the event is on its way into this process. */
  arriving: (eventId: number) => boolean;
  /** Epoch ms by the clock of the file system. */
  fileTime: () => number;
  log: Logger;
}

/** Removes files that no row names: a stop between a file and its row leaves one, and the camera may never send it again. */
export class EvidenceOrphans {
  readonly loop: Loop;
  #options: OrphanOptions;

  constructor(options: OrphanOptions) {
    this.#options = options;
    this.loop = new Loop({ name: 'evidence orphans', interval: INTERVAL_MS, log: options.log, round: async (signal) => void (await this.round(signal)) });
  }

  /** @returns how many were removed */
  async round(signal: AbortSignal): Promise<number> {
    const { files, fileTime, log, arriving } = this.#options;
    let removed = 0;
    for await (const { eventId, names } of files.kept(fileTime() - LEFT_AFTER_MS)) {
      if (signal.aborted) break;
      if (arriving(eventId)) continue;
      const known = await this.#known(eventId);
      for (const sha256 of names) {
        if (known.has(sha256)) continue;
        await files.remove(eventId, sha256);
        removed += 1;
      }
      await nextTurn();
    }
    if (removed > 0) log.info({ files: removed }, 'evidence files that no event names were removed');
    return removed;
  }

  async #known(eventId: number): Promise<Set<string>> {
    const event = await this.#options.events.get(eventId);
    if (!event) return new Set();
    return new Set((await this.#options.evidence.ofEvent(event.tenantCode, eventId)).map(({ sha256 }) => sha256));
  }
}
