import { type Clock, stampOf } from '../../../common/clock.ts';
import { AppError } from '../../../common/http/error.ts';
import { holdingLease, LeaseLost } from '../../../common/lease.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import type { Message } from '../../../common/message.ts';
import type { SubmitChunks } from '../command.ts';
import { chunkSetOf } from '../document/input.ts';
import { type DocumentAnswer, parseNoteOf, type readDocument } from '../ingest/document.ts';
import type { Original } from '../ingest/read.ts';
import type { OriginalTransfer, Registered } from '../original/transfer.ts';
import type { PolicyDocument } from '../record.ts';
import { againAt, claimTimes, isGivenUp, LEASE_MS, MOST_ATTEMPTS } from './decide.ts';
import type { Claim, ReadingPort, ReadingProgress } from './port.ts';

const EVERY_MS = 5_000;
/** How often it says that it is at it, and how far. */
const RENEW_MS = 2_000;
const ACTOR = 'reader';
/** What the place of the originals says of one that will not come back by itself. */
const LOST = ['original_missing', 'original_damaged'];

export interface PolicyReaderOptions {
  readings: ReadingPort;
  transfer: Pick<OriginalTransfer, 'give' | 'check'>;
  read: typeof readDocument;
  clock: Clock;
  log: Logger;
}

/** Reads the files that people upload into clauses, one at a time, each in a process of its own. */
export class PolicyReader {
  readonly counts = { read: 0, failed: 0, again: 0 };
  readonly loop: Loop;
  readonly #options: PolicyReaderOptions;
  /** Whether originals could not be had last time: files are left to other hubs meanwhile. */
  #away = false;

  constructor(options: PolicyReaderOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'policy reader',
      interval: EVERY_MS,
      // As long as a file takes, which its own bounds end.
      lasting: true,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  /** Has a file read now, by whichever hub comes first. @returns as the store says */
  async ask(of: Parameters<ReadingPort['ask']>[0]): ReturnType<ReadingPort['ask']> {
    const asked = await this.#options.readings.ask(of, stampOf(this.#options.clock));
    this.loop.kick();
    return asked;
  }

  /** Reads the next file. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    const { readings, transfer, clock, log } = this.#options;
    if (this.#away) await transfer.check();
    this.#away = false;
    const stamp = stampOf(clock);
    const claim = await readings.claim(clock.newId(), claimTimes(stamp.now), stamp);
    if (!claim) return { again: false };
    if (isGivenUp(claim)) {
      const why = { code: 'ended_readers' as const, params: { times: MOST_ATTEMPTS } };
      await this.#end(claim, { unreadable: why });
      return { again: true };
    }
    let progress: ReadingProgress | null = null;
    const renew = async (): Promise<boolean> => {
      const now = clock.now();
      try {
        return await readings.renew(claim, now + LEASE_MS, progress, now);
      } catch (error) {
        // It goes on: whether the file is still this reader's is asked once more when it ends.
        log.warn({ err: error }, 'a policy file is being read, and the database does not take how far');
        return true;
      }
    };
    try {
      const answer = await holdingLease(renew, RENEW_MS, signal, (held) =>
        this.#read(claim.document, held, (to) => (progress = to)),
      );
      await this.#end(claim, answer);
    } catch (error) {
      await this.#leave(claim, error, signal);
    }
    return { again: !signal.aborted };
  }

  async #read(
    document: PolicyDocument,
    signal: AbortSignal,
    told: (progress: ReadingProgress) => void,
  ): Promise<DocumentAnswer> {
    const bytes = await this.#original(document);
    if (bytes === null) return { unreadable: { code: 'original_lost', params: {} } };
    const { fileName, contentType } = document;
    const original: Original = { bytes, fileName, contentType };
    return this.#options.read(original, { signal, told });
  }

  /** null: it is lost, and will not come back by itself. */
  async #original(document: PolicyDocument): Promise<Buffer | null> {
    try {
      const content = await this.#options.transfer.give(document as Registered);
      const parts: Buffer[] = [];
      for await (const part of content as AsyncIterable<Buffer>) parts.push(part);
      return Buffer.concat(parts);
    } catch (error) {
      if (error instanceof AppError && LOST.includes(error.code)) return null;
      throw error;
    }
  }

  async #end(claim: Claim, answer: DocumentAnswer): Promise<void> {
    const failed = 'unreadable' in answer;
    const notes: Message[] = failed ? [answer.unreadable] : answer.notes;
    const ended = {
      state: failed ? 'failed' : 'read',
      notes,
      chunks: chunksOf(claim.document, answer),
    } as const;
    if (!(await this.#options.readings.end(claim, ended, stampOf(this.#options.clock)))) return;
    this.counts[ended.state] += 1;
  }

  /**
   * Of a file that could not be read to the end: where the hub stops, or its originals are away, that is not
   * the file's fault.
   */
  async #leave(claim: Claim, error: unknown, signal: AbortSignal): Promise<void> {
    if (error instanceof LeaseLost) return;
    const stamp = stampOf(this.#options.clock);
    const blameless = signal.aborted || (error instanceof AppError && error.status >= 500);
    const dueAt = signal.aborted ? stamp.now : againAt(claim, stamp.now);
    await this.#options.readings.release(claim, { dueAt, counted: !blameless }, stamp);
    if (signal.aborted) return;
    this.counts.again += 1;
    this.#away = blameless;
    // The loop tells of it, and waits.
    if (blameless) throw error;
    this.#options.log.warn({ err: error, id: claim.document.id }, 'a policy file was not read to the end');
  }
}

function chunksOf({ tenantCode, id }: PolicyDocument, answer: DocumentAnswer): SubmitChunks {
  const clauses = 'unreadable' in answer ? [] : answer.clauses;
  const set = chunkSetOf({
    tenant_code: tenantCode,
    parse_note: parseNoteOf(answer),
    chunks: clauses.map(({ clausePath, page, text }) => ({ clause_path: clausePath, page, text })),
  });
  return { ...set, docId: id, actor: ACTOR, read: true };
}
