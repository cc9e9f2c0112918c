import type { Clock } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import { requestFilePath } from '../../common/uplink/request/schema.ts';
import { Attempts } from '../uplink/attempts.ts';
import type { Pace } from '../uplink/evidence/pace.ts';
import { bringPiece, type Full } from '../uplink/evidence/piece.ts';
import type { Failed, HubCalls } from '../uplink/hub-calls.ts';
import type { CareFiles } from './files.ts';
import type { CarePort } from './port.ts';
import type { WaitingFile } from './record.ts';

/** Between rounds that nothing triggers, and while events go first, ms. */
const INTERVAL_MS = 3_000;
const BUSY_LOOK_MS = 250;

export interface CareSenderOptions {
  care: Pick<CarePort, 'files' | 'fileSent'>;
  files: CareFiles;
  calls: HubCalls;
  /** That of evidence: the two share its cap on the rate. */
  pace: Pace;
  /** Whether the link is up and no events wait for it. */
  free: () => boolean;
  clock: Clock;
  log: Logger;
  random?: () => number;
}

/** Brings files of answers to headquarters, one piece at a time, while no event waits. */
export class CareSender {
  readonly loop: Loop;
  readonly attempts = new Attempts();
  readonly #options: CareSenderOptions;
  readonly #random: () => number;
  /** Bytes that headquarters holds, by request; without an entry it is asked. */
  readonly #offsets = new Map<string, number>();

  constructor(options: CareSenderOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.loop = new Loop({
      name: 'care files',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    const { care, pace, free } = this.#options;
    const [file] = care.files();
    if (!file) return { again: false };
    const wait = Math.max(this.attempts.nextAt - this.#now(), pace.wait(this.#now()));
    if (wait > 0) return { again: false, pauseMs: Math.min(wait, INTERVAL_MS) };
    if (!free()) return { again: false, pauseMs: BUSY_LOOK_MS };
    return { again: (await this.#send(file, signal)) && !signal.aborted };
  }

  async #send({ requestId, size }: WaitingFile, signal: AbortSignal): Promise<boolean> {
    const { files, pace, log } = this.#options;
    const offset = this.#offsets.get(requestId);
    const length = offset === undefined ? 0 : Math.min(pace.pieceBytes, size - offset);
    const body = await files.slice(requestId, offset ?? 0, length);
    // Whoever cleared the folder has seen to it that it never comes.
    if (body?.length !== length) return this.#over(requestId);
    const started = this.#now();
    const target = requestFilePath(requestId, offset ?? 0);
    const outcome = await bringPiece(this.#options.calls, target, { body, size, signal });
    if (outcome.kind === 'failed' || outcome.kind === 'full') return this.#failed(requestId, outcome);
    pace.sent(length, started, this.#now());
    if (outcome.kind === 'not_wanted' || (outcome.kind === 'held' && outcome.done))
      return this.#over(requestId);
    if (outcome.kind === 'differs')
      log.warn({ requestId }, 'the file of an answer changed on the disk: headquarters did not take it');
    this.#offsets.set(requestId, outcome.offset);
    if (outcome.kind === 'held') this.attempts.succeeded();
    return true;
  }

  #failed(requestId: string, failed: Full | Failed): false {
    this.#offsets.delete(requestId);
    if (failed.kind === 'failed' && failed.unreachable) this.#options.pace.slower();
    this.attempts.failed(failed.fault, this.#now(), this.#random(), failed.retryAfterMs);
    return false;
  }

  async #over(requestId: string): Promise<true> {
    this.attempts.succeeded();
    this.#offsets.delete(requestId);
    await this.#options.care.fileSent(requestId);
    await this.#options.files.remove(requestId);
    return true;
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
