// Group commit: calls of this process that wait for the event counter go together in one transaction.
import type { IngestResult } from '../../../common/core/event/port.ts';
import type { Database } from './database.ts';
import { concernsStore } from './errors.ts';
import { ingestBatches, type Batch } from '../port/event-rows.ts';

/** Most events of one transaction, unless one call alone brings more. */
const MAX_EVENTS = 2_000;

interface Call {
  batch: Batch;
  resolve: (results: IngestResult[]) => void;
  reject: (error: unknown) => void;
}

/** One transaction runs at a time; what arrives meanwhile goes with the next. */
export class IngestQueue {
  #database: Database;
  #waiting: Call[] = [];
  #running: Promise<void> | null = null;

  constructor(database: Database) {
    this.#database = database;
  }

  add(batch: Batch): Promise<IngestResult[]> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      this.#running ??= this.#drain();
    });
  }

  /** Resolves when everything added has been answered. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #drain(): Promise<void> {
    // Calls made in the same turn of the event loop go together from the start.
    await Promise.resolve();
    while (this.#waiting.length > 0) await this.#store(this.#take());
    this.#running = null;
  }

  #take(): Call[] {
    const taken: Call[] = [];
    let events = 0;
    for (const call of this.#waiting) {
      events += call.batch.events.length;
      if (taken.length > 0 && events > MAX_EVENTS) break;
      taken.push(call);
    }
    this.#waiting.splice(0, taken.length);
    return taken;
  }

  async #store(calls: Call[]): Promise<void> {
    try {
      const results = await this.#database.transaction((tx) =>
        ingestBatches(
          tx,
          calls.map((call) => call.batch),
        ),
      );
      for (const [index, call] of calls.entries()) call.resolve(results[index] ?? []);
    } catch (error) {
      if (calls.length === 1 || concernsStore(error)) for (const call of calls) call.reject(error);
      // One call's content may be at fault, and the others are innocent.
      else for (const call of calls) await this.#store([call]);
    }
  }
}
