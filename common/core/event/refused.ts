import { AppError, badRequest, MAX_FAULTS } from '../../http/error.ts';
import type { Fault } from '../../http/fault/fault.ts';
import type { Refused } from './intake.ts';

/** What a batch is told of one event that was refused. */
export interface RefusedLine {
  index: number;
  idempotencyKey: string | null;
  error: Refused['error'];
  message: string;
}

/** Faults of one event of a batch that its line names. */
const FAULTS_IN_A_LINE = 10;

/**
 * The refused events of a request. Of a batch where every event has every fault, no more is kept than an
 * answer says: made into faults, all of them took twenty times the room of the batch.
 */
export class RefusedEvents {
  readonly lines: RefusedLine[] = [];
  readonly #batch: boolean;
  /** Those that an answer lists. */
  #faults: Fault[] = [];
  #count = 0;

  constructor(batch: boolean) {
    this.#batch = batch;
  }

  add({ error, faults, idempotencyKey }: Refused, index: number): void {
    this.lines.push({ index, idempotencyKey, error, message: lineOf(faults) });
    this.#count += faults.length;
    // One more than are listed: a last one is said itself, and not counted.
    const room = MAX_FAULTS + 1 - this.#faults.length;
    if (room > 0) this.#faults.push(...faults.slice(0, room).map((fault) => this.#placed(fault, index)));
  }

  #placed({ path, ...said }: Fault, index: number): Fault {
    return { path: this.#batch ? `events[${index}]${path === '' ? '' : `.${path}`}` : path, ...said };
  }

  /** What is thrown where nothing of the request was taken. */
  error(): AppError {
    if (this.#batch || this.lines[0]?.error !== 'tenant_mismatch')
      return badRequest(this.#faults, this.#count);
    return new AppError(403, 'tenant_mismatch', "The event's tenant is not the tenant of the node's key.", {
      details: this.#faults.slice(0, MAX_FAULTS),
    });
  }
}

function lineOf(faults: readonly Fault[]): string {
  const told = faults.slice(0, FAULTS_IN_A_LINE);
  const beyond = faults.length > told.length ? '; and more' : '';
  return told.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ') + beyond;
}
