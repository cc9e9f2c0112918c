import type { Clock } from '../../../common/clock.ts';
import type { EvidenceFiles } from '../../../common/core/evidence/files.ts';
import type { EvidenceMode } from '../../../common/core/evidence/schema.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop, type RoundResult } from '../../../common/loop.ts';
import { say } from '../../../common/message.ts';
import { type EvidenceWant, MAX_STATES } from '../../../common/uplink/evidence.ts';
import { PROTOCOL } from '../../../common/uplink/wire.ts';
import { type LinkFault, siteMessages } from '../../site-messages.ts';
import { Attempts } from '../attempts.ts';
import type { Failed } from '../hub-calls.ts';
import type { EvidenceCalls } from './calls.ts';
import { FullRooms, type Sized } from './full-rooms.ts';
import { Pace } from './pace.ts';
import type { Full, PieceOutcome } from './piece.ts';
import type { EvidenceBacklog, EvidenceWantPort, ReadyFile } from './port.ts';
import type { MadePreview, Previews } from './previews.ts';
import { ReadyFiles } from './ready.ts';
import { namedHere, rowsOf, type WantReading, wireReport } from './wants.ts';

/** Interval of rounds that nothing triggers, for files and orders that are done meanwhile, ms. */
const INTERVAL_MS = 3_000;
/** Shortest and longest interval between state calls, ms. */
const TELL_EVERY_MS = 1_000;
const TELL_AT_LEAST_EVERY_MS = 300_000;
/** The same where only the number of waiting files has changed, ms; the last of them is told so too. */
const TELL_WAITING_EVERY_MS = 5_000;
/** An answer that reports a backlog of the channels leaves the link to them for this long, ms. */
const BUSY_MS = 10_000;
const BUSY_LOOK_MS = 250;

export interface EvidenceSenderOptions extends WantReading {
  wants: EvidenceWantPort;
  files: EvidenceFiles;
  calls: EvidenceCalls;
  /** Kilobits a second at most (CORE_UPLINK_EVIDENCE_KBPS); null: no cap. */
  kbps: number | null;
  previews: Previews;
  /** Id of the newest event that headquarters has confirmed. */
  sentThrough: () => number;
  /** Of which tenants headquarters takes no files for want of room, and why; null: of none. */
  onFull: (tenants: readonly string[], fault: LinkFault | null) => Promise<void>;
  envelope: () => { version: string; instance: string; epoch: string };
  clock: Clock;
  log: Logger;
  random?: () => number;
}

/**
 * Brings evidence to headquarters beside the channels (DESIGN.md, "Beside the two channels"): its own loop
 * and its own connection, one call at a time. While the channels have a backlog it waits. It begins with the
 * first answer of headquarters.
 */
export class EvidenceSender {
  readonly loop: Loop;
  readonly attempts = new Attempts();
  readonly pace: Pace;
  readonly previews: Previews;
  readonly mode: EvidenceMode;
  /** Since the start. */
  readonly counts = { files: 0, bytes: 0, pieces: 0 };
  /** Wall clock of the last answer since the start, epoch ms. */
  lastAckAt: number | null = null;
  readonly #options: EvidenceSenderOptions;
  #random: () => number;
  /** Headquarters has answered a channel since the start. */
  #heard = false;
  #unreachable = false;
  /** Headquarters refused bytes, and has taken none since. */
  #refused = false;
  #busyUntil = -Infinity;
  #draining: () => boolean = () => false;
  /** Files that waited here when headquarters was last told; null: it was not. */
  #toldWaiting: number | null = null;
  #toldAt = -Infinity;
  /** Bytes that headquarters holds of a file; without an entry it is asked. */
  #offsets = new Map<string, number>();
  #ready: ReadyFiles;
  #rooms: FullRooms;
  /** A preview went last: a file that somebody asked for goes before the next. */
  #previewWasLast = false;

  constructor(options: EvidenceSenderOptions) {
    this.#options = options;
    this.#ready = new ReadyFiles(options.wants, options.files);
    this.#rooms = new FullRooms(options.onFull);
    this.#random = options.random ?? Math.random;
    this.mode = options.mode;
    this.pace = new Pace(options);
    this.previews = options.previews;
    this.previews.onMade(() => this.notify());
    this.loop = new Loop({
      name: 'uplink evidence',
      interval: INTERVAL_MS,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: (signal) => this.round(signal),
      ...(options.random ? { random: options.random } : {}),
    });
  }

  /** @param draining whether a channel has more to send, whenever it is asked */
  answered(draining: () => boolean): void {
    this.#draining = draining;
    this.#busyUntil = draining() ? this.#now() + BUSY_MS : -Infinity;
    const first = !this.#heard;
    this.#heard = true;
    if (this.#unreachable) this.attempts.hasten();
    if (first || this.#unreachable) this.notify();
  }

  /** Whether headquarters answers, and nothing of the channels waits: what goes beside them may go. */
  get free(): boolean {
    return this.#heard && !this.#unreachable && !(this.#busyUntil > this.#now() && this.#draining());
  }

  /** Notes a file that headquarters wants; it goes up, or is refused, when its turn comes. */
  async take(want: EvidenceWant): Promise<void> {
    await this.#options.wants.take(await rowsOf([want], this.#options));
    if (want.kind === 'keep') this.#offsets.set(want.want_id, want.offset);
    this.#toldAt = -Infinity;
    this.notify();
  }

  get waiting(): EvidenceBacklog {
    return this.#options.wants.waiting();
  }

  /** Wakes the loop: there may be something new to send. */
  notify(): void {
    if (this.attempts.nextAt <= this.#now()) this.loop.kick();
  }

  /** Makes at most one state call, and brings a preview or one piece. */
  async round(signal: AbortSignal): Promise<RoundResult> {
    if (!this.#heard || this.attempts.nextAt > this.#now()) return this.#pause();
    const told = await this.#tell(signal);
    if (told === 'failed') return this.#pause();
    if (this.#busyUntil > this.#now() && this.#draining()) return { again: false, pauseMs: BUSY_LOOK_MS };
    const wait = this.pace.wait(this.#now());
    if (wait > 0) return { again: false, pauseMs: Math.min(wait, INTERVAL_MS) };
    const sent = await this.#sendNext(signal);
    if (sent === 'failed') return this.#pause();
    return sent === 'sent' || told === 'more' ? { again: true } : this.#pause();
  }

  async #tell(signal: AbortSignal): Promise<'nothing' | 'told' | 'more' | 'failed'> {
    const since = this.#now() - this.#toldAt;
    if (since < TELL_EVERY_MS) return 'nothing';
    await this.#options.wants.lose(this.#options.clock.now());
    const states = this.#options.wants.untold(MAX_STATES);
    const through = this.#options.sentThrough();
    const offers = this.#options.wants.offers(through, MAX_STATES);
    const gone = this.#options.wants.goneUntold(through, MAX_STATES);
    const idle = states.length + offers.length + gone.length === 0;
    const { files, bytes } = this.#options.wants.waiting();
    const changed = files !== this.#toldWaiting && since >= TELL_WAITING_EVERY_MS;
    if (idle && !changed && since < TELL_AT_LEAST_EVERY_MS) return 'nothing';
    const outcome = await this.#options.calls.states(
      {
        protocol: PROTOCOL,
        ...this.#options.envelope(),
        mode: this.mode,
        backlog: { files, bytes },
        ...wireReport({ states, offers, gone }),
      },
      signal,
    );
    if (outcome.kind === 'failed') return this.#failed(outcome, signal);
    this.#succeeded(files === 0);
    this.#toldAt = this.#now();
    this.#toldWaiting = files;
    if (!idle) await this.#options.wants.told(states, offers, gone);
    await this.#options.wants.held(outcome.here.map(namedHere));
    const full = [states, offers, gone].some(({ length }) => length === MAX_STATES);
    return full ? 'more' : 'told';
  }

  /**
   * Previews go before whole files; a file that somebody asked for takes turns with them. While one is being
   * made, no file that nobody asked for is begun.
   */
  async #sendNext(signal: AbortSignal): Promise<'nothing' | 'sent' | 'failed'> {
    const preview =
      this.mode === 'none' ? null : this.previews.next(this.#rooms.resting('preview', this.#now()));
    const file = await this.#ready.next(this.#now(), this.#rooms.resting('file', this.#now()));
    const asked = file !== null && !file.offered;
    if (preview !== null && preview !== 'making' && !(asked && this.#previewWasLast)) {
      this.#previewWasLast = true;
      return this.#sendPreview(preview, signal);
    }
    this.#previewWasLast = false;
    if (!file && preview === null) await this.#rooms.idle(this.#now());
    if (!file || (preview === 'making' && !asked)) return 'nothing';
    return this.#sendPiece(file, signal);
  }

  async #sendPreview(preview: MadePreview, signal: AbortSignal): Promise<'sent' | 'failed'> {
    const { file, jpeg } = preview;
    const { tenantCode, eventKey, name } = file;
    const started = this.#now();
    const named = { tenant_code: tenantCode, event_key: eventKey, name };
    const outcome = await this.#options.calls.preview(named, jpeg, signal);
    if (outcome.kind === 'failed') return this.#failed(outcome, signal);
    if (outcome.kind === 'full') return this.#noRoom('preview', file.tenantCode, outcome);
    this.#succeeded(outcome.taken);
    if (outcome.taken) await this.#rooms.taken('preview', file.tenantCode);
    this.pace.sent(jpeg.length, started, this.#now());
    await this.previews.settle(preview, outcome.taken);
    return 'sent';
  }

  async #sendPiece(file: ReadyFile, signal: AbortSignal): Promise<'sent' | 'failed'> {
    const offset = this.#offsets.get(file.id);
    const length = offset === undefined ? 0 : Math.min(this.pace.pieceBytes, file.size - offset);
    const { size } = file;
    const body = await this.#options.files.slice(file.eventId, file.sha256, offset ?? 0, length);
    const started = this.#now();
    const outcome = await this.#options.calls.piece(file.id, offset ?? 0, { body, size, signal });
    if (outcome.kind === 'failed') {
      if (outcome.unreachable) this.pace.slower();
      // The piece may have been stored although its answer was lost, so headquarters is asked for the offset.
      this.#offsets.delete(file.id);
      this.#refused ||= length > 0 && !outcome.unreachable;
      return this.#failed(outcome, signal);
    }
    if (outcome.kind === 'full') return this.#noRoom('file', file.tenantCode, outcome);
    this.#succeeded(length > 0 || outcome.kind !== 'held' || outcome.done);
    if (length > 0 && outcome.kind === 'held') await this.#rooms.taken('file', file.tenantCode);
    this.pace.sent(body.length, started, this.#now());
    this.counts.pieces += 1;
    this.counts.bytes += body.length;
    await this.#follow(file, outcome);
    return 'sent';
  }

  async #follow(file: ReadyFile, outcome: Exclude<PieceOutcome, Full | Failed>): Promise<void> {
    if (outcome.kind !== 'not_wanted' && !(outcome.kind === 'held' && outcome.done)) {
      this.#offsets.set(file.id, outcome.offset);
      return;
    }
    this.#offsets.delete(file.id);
    if (outcome.kind === 'not_wanted') return this.#options.wants.end(file.id);
    this.counts.files += 1;
    await this.#options.wants.arrived(file.id);
  }

  /** The files of one tenant wait for room; those of others go on. */
  async #noRoom(what: Sized, tenantCode: string, { fault, retryAfterMs }: Full): Promise<'sent'> {
    this.#refused = true;
    this.#unreachable = false;
    this.attempts.failed(fault, this.#now(), this.#random());
    this.attempts.hasten();
    await this.#rooms.refused(what, tenantCode, fault, { now: this.#now(), retryAfterMs });
    return 'sent';
  }

  /** @param progress whether bytes were taken, or none wait: questions are answered all the same */
  #succeeded(progress: boolean): void {
    this.#unreachable = false;
    this.lastAckAt = this.#options.clock.now();
    if (progress) this.#refused = false;
    if (!this.#refused) this.attempts.succeeded();
  }

  #failed({ fault, unreachable, retryAfterMs }: Failed, signal: AbortSignal): 'failed' {
    if (signal.aborted) return 'failed';
    this.#unreachable = unreachable;
    const retryInMs = this.attempts.failed(fault, this.#now(), this.#random(), retryAfterMs);
    const reason = say(siteMessages, fault, 'en');
    this.#options.log.warn(
      { failures: this.attempts.failures, retryInMs, reason },
      'evidence could not be sent',
    );
    return 'failed';
  }

  #pause(): RoundResult {
    const left = this.attempts.nextAt - this.#now();
    return { again: false, pauseMs: Math.max(1, Math.min(left > 0 ? left : INTERVAL_MS, INTERVAL_MS * 10)) };
  }

  #now(): number {
    return this.#options.clock.monotonic();
  }
}
