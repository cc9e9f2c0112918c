import { type Clock, stampOf } from '../../common/clock.ts';
import type { Logger } from '../../common/log.ts';
import { Loop, type RoundResult } from '../../common/loop.ts';
import { type AnswerFile, MAX_ANSWER_TEXT, type SiteRequest } from '../../common/uplink/request/schema.ts';
import type { RequestRefusal } from '../../common/uplink/request-refusal-messages.ts';
import type { Carried } from '../uplink/inbox/port.ts';
import type { CarePort } from './port.ts';
import type { CareAnswer } from './record.ts';

const INTERVAL_MS = 60_000;

/** What one look came to. */
export interface Looked {
  exit: number | null;
  text: string | null;
  file?: AnswerFile;
}

/** Something that cannot be looked at or done, with what the asker is told. */
export class CareRefused extends Error {
  readonly told: RequestRefusal;
  constructor(told: RequestRefusal) {
    super(told.code);
    this.told = told;
  }
}

export interface CareOptions {
  care: CarePort;
  /** CORE_REMOTE_CARE: the owner of the site lets headquarters look in. */
  allowed: boolean;
  /** What is asked for, but a restart. @throws CareRefused; Error when it fails */
  look: (asked: SiteRequest, signal: AbortSignal) => Promise<Looked>;
  /** Ends this process for its manager to start it again; null: nobody would. */
  restart: (() => void) | null;
  /** How this process says that it is up. */
  upAgain: (asked: SiteRequest) => string;
  /** An answer is to go up. */
  onAnswer: () => void;
  clock: Clock;
  log: Logger;
}

/**
 * Does what people at headquarters ask of this site, one request after another beside the inbox. Invariants:
 * a restart ends this process once at most, whatever ends it meanwhile: one that an earlier process took is
 * answered and not done again. All else may be done again after a kill, and changes nothing.
 */
export class Care {
  readonly loop: Loop;
  readonly #options: CareOptions;
  /** The process is about to end. */
  #ending = false;

  constructor(options: CareOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'care',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
    });
  }

  /** Answers the restarts that an earlier process took, as soon as this one serves. */
  async begin(): Promise<void> {
    const { care, upAgain } = this.#options;
    for (const { asked } of care.open())
      if (asked.what === 'restart') await this.#settle(asked, done({ exit: null, text: upAgain(asked) }));
    this.loop.start();
  }

  /** Notes a request; it is carried out soon after. */
  async take(asked: SiteRequest, refusal: RequestRefusal | null): Promise<Carried> {
    const { care, clock } = this.#options;
    const carried = await care.take(asked, refusal ?? this.#refusalOf(asked), stampOf(clock));
    if (carried === 'carried_out') this.loop.kick();
    if (carried === 'refused') this.#options.onAnswer();
    return carried;
  }

  #refusalOf({ what, expires_at: until }: SiteRequest): RequestRefusal | null {
    const { allowed, restart, clock } = this.#options;
    if (!allowed) return { code: 'request_off', params: {} };
    if (until <= clock.now()) return { code: 'request_expired', params: {} };
    return what === 'restart' && restart === null ? { code: 'request_no_manager', params: {} } : null;
  }

  async round(signal: AbortSignal): Promise<RoundResult> {
    for (const { asked } of this.#options.care.open()) {
      if (signal.aborted || this.#ending) break;
      if (asked.what === 'restart') await this.#restart(asked);
      else await this.#carry(asked, signal);
    }
    return { again: false };
  }

  async #restart(asked: SiteRequest): Promise<void> {
    const { care, restart, log } = this.#options;
    this.#ending = true;
    await care.restarting(asked.request_id);
    log.warn({ request: asked.request_id, by: asked.asked_by }, 'headquarters asked for a restart');
    restart?.();
  }

  async #carry(asked: SiteRequest, signal: AbortSignal): Promise<void> {
    const { look, clock, log } = this.#options;
    if (asked.expires_at <= clock.now())
      return this.#settle(asked, without('expired', { code: 'request_expired', params: {} }));
    try {
      await this.#settle(asked, done(await look(asked, signal)));
    } catch (error) {
      // What the end of the process cut off is done again by the next one.
      if (signal.aborted) return;
      const { request_id: request, what } = asked;
      log.warn({ err: error, request, what }, 'what headquarters asked for failed');
      await this.#settle(asked, without('failed', toldOf(error)));
    }
  }

  async #settle(asked: SiteRequest, answer: CareAnswer): Promise<void> {
    await this.#options.care.settle(asked.request_id, answer, stampOf(this.#options.clock));
    this.#options.onAnswer();
  }
}

/** Of a text that is too long the end, where the newest stands, with a mark of what is left out. */
export function bounded(text: string): string {
  const signs = [...text];
  if (signs.length <= MAX_ANSWER_TEXT) return text;
  return `…\n${signs.slice(signs.length - MAX_ANSWER_TEXT + 2).join('')}`;
}

const done = ({
  exit,
  text,
  file = null,
}: Omit<Looked, 'file'> & { file?: AnswerFile | null }): CareAnswer => ({
  state: 'done',
  exit,
  text: text === null ? null : bounded(text),
  file,
  told: null,
});

const without = (state: 'failed' | 'expired', told: RequestRefusal): CareAnswer => ({
  ...{ state, told, exit: null, text: null, file: null },
});

function toldOf(error: unknown): RequestRefusal {
  if (error instanceof CareRefused) return error.told;
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'request_failed', params: { reason: reason.slice(0, 500) } };
}
