import { backoffDelay, LONGEST_WAIT_MS } from '../../backoff.ts';
import type { Clock } from '../../clock.ts';
import { AddressRefused } from '../../http/outbound/address.ts';
import { type HttpClient, TransportError } from '../../http/outbound/client.ts';
import { JobLoop } from '../../job-loop.ts';
import { holdingLease } from '../../lease.ts';
import type { Logger } from '../../log.ts';
import type { RoundResult } from '../../loop.ts';
import { SecretError, type SecretSources } from '../../secret/secret.ts';
import { formatTimeOrNull } from '../../time.ts';
import type { EventPort } from '../event/port.ts';
import { openAccess, type UploadAccess } from './access.ts';
import { type Announced, announcedAs } from './decide.ts';
import { expiresAt } from './expiry.ts';
import type { EvidenceFiles } from './files.ts';
import type { EvidenceJob, EvidenceJobPort, EvidencePort, RemoteEvidence } from './port.ts';

const INTERVAL_MS = 3_000;
const AT_ONCE = 4;
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
/** A job older than this is given up and shown as failed. */
const JOB_LIFETIME_MS = 7 * 24 * 3_600_000;
const BACKOFF = { first: 5_000, cap: LONGEST_WAIT_MS, jitter: 0.2 };
/** How long a job rests that waits for its file; the file's arrival wakes it. */
const REST = { shortest: 10_000, longest: LONGEST_WAIT_MS };
/** Bound of one upload: a minute, and a second for each 32 KB; half an hour at most. */
const UPLOAD_MS = { first: 60_000, bytesPerMs: 32, longest: 1_800_000 };

export interface EvidenceUploaderOptions {
  jobs: EvidenceJobPort;
  evidence: EvidencePort;
  events: EventPort;
  files: EvidenceFiles;
  client: HttpClient;
  /** Opens what the jobs keep sealed. */
  secrets: SecretSources;
  /** Sites that carry out jobs on their files themselves. */
  far?: RemoteEvidence | undefined;
  clock: Clock;
  log: Logger;
  random?: () => number;
}

/** `ends`: when the address expires, epoch ms; null where that is not known, or is not to end the job. */
type Found =
  | { kind: 'here'; file: Announced; access: UploadAccess; ends: number | null }
  | { kind: 'not_yet'; reason: string; ends: number | null }
  | { kind: 'never'; reason: string };

/** Brings files to the addresses that consumers named in their push receipts (spec 2, "Optional push"). */
export class EvidenceUploader extends JobLoop {
  readonly counts = { done: 0, failed: 0, givenUp: 0 };
  readonly #options: EvidenceUploaderOptions;
  #random: () => number;

  constructor(options: EvidenceUploaderOptions) {
    const { clock, log } = options;
    super({
      name: 'evidence upload',
      interval: INTERVAL_MS,
      concurrency: AT_ONCE,
      clock,
      log,
      onError: (error, job) =>
        log.warn({ err: error, job }, 'an upload of evidence could not be settled; it is repeated'),
    });
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** Starts the jobs that are due, as far as there is room, and waits for none. */
  override async round(): Promise<RoundResult> {
    const { capacity } = this.inFlight;
    if (capacity === 0) return { again: false };
    const due = await this.#options.jobs.claimDue(this.#options.clock.now(), LEASE_MS, capacity);
    for (const job of due) this.inFlight.start(job.id, (signal) => this.#carryOut(job, signal));
    return { again: false };
  }

  async #carryOut(job: EvidenceJob, signal: AbortSignal): Promise<void> {
    const found = await this.#find(job);
    if (found.kind === 'never') return this.#giveUp(job, found.reason);
    if (found.kind !== 'here') {
      const age = this.#options.clock.now() - job.createdAt;
      if (age >= JOB_LIFETIME_MS) return this.#giveUp(job, `${found.reason}, for 7 days`);
      if (this.#over(found)) return this.#giveUp(job, `${expired(found.ends)}; ${found.reason}`);
      await this.#options.jobs.postpone(
        job.id,
        this.#options.clock.now() + Math.min(REST.longest, Math.max(REST.shortest, age / 2)),
        found.reason,
      );
      return;
    }
    const renew = (): Promise<boolean> =>
      this.#options.jobs.postpone(job.id, this.#options.clock.now() + LEASE_MS, null);
    const error = await holdingLease(renew, RENEW_MS, signal, (held) => this.#put(job, found, held));
    if (error === null) {
      this.counts.done += 1;
      await this.#options.jobs.done(job.id, this.#options.clock.now());
    } else if (signal.aborted) return;
    else if (this.#over(found)) await this.#giveUp(job, `${error}; ${expired(found.ends)}`);
    else await this.#failed(job, error);
  }

  #over({ ends }: { ends: number | null }): boolean {
    return ends !== null && ends <= this.#options.clock.now();
  }

  async #find(job: EvidenceJob): Promise<Found> {
    const event = await this.#options.events.get(job.eventId);
    const file = event && event.tenantCode === job.tenantCode ? announcedAs(event, job.name) : null;
    if (!event || !file) return { kind: 'never', reason: 'the event is no longer kept' };
    const access = this.#accessOf(job);
    if (access === null)
      return {
        kind: 'never',
        reason: 'what opens the address was sealed under another key; the consumer must ask again',
      };
    const ends = expiresAt(access.putUrl);
    const record = (await this.#options.evidence.ofEvent(job.tenantCode, job.eventId)).find(
      (one) => one.name === job.name,
    );
    const order =
      event.instance === null ? null : await this.#options.far?.order(job, event, file, record !== undefined);
    // A site that has the order says what came of it, also after the address has expired.
    if (order) return { kind: 'not_yet', reason: order.reason, ends: order.known ? null : ends };
    if (!record) return { kind: 'not_yet', reason: 'the camera has not sent the file yet', ends };
    if (!(await this.#options.files.present()))
      return { kind: 'not_yet', reason: 'the folder of the evidence files is not mounted', ends };
    const standing = await this.#options.files.standing(record);
    if (standing === 'damaged') return { kind: 'never', reason: DAMAGED };
    if (standing === 'missing')
      return { kind: 'not_yet', reason: 'the file is not on the disk of this server', ends };
    return { kind: 'here', file, access, ends };
  }

  /** null: it was sealed under another key. */
  #accessOf(job: EvidenceJob): UploadAccess | null {
    try {
      return openAccess(job, this.#options.secrets);
    } catch (error) {
      if (error instanceof SecretError) return null;
      throw error;
    }
  }

  async #failed(job: EvidenceJob, error: string): Promise<void> {
    const now = this.#options.clock.now();
    if (now - job.createdAt >= JOB_LIFETIME_MS) return this.#giveUp(job, `${error}; given up after 7 days`);
    this.counts.failed += 1;
    await this.#options.jobs.failed(
      job.id,
      error,
      now + backoffDelay(job.attempts + 1, BACKOFF, this.#random()),
      now,
    );
  }

  async #giveUp(job: EvidenceJob, reason: string): Promise<void> {
    this.counts.givenUp += 1;
    this.#options.log.warn(
      { job: job.id, eventId: job.eventId, consumer: job.consumer, reason },
      'an upload of evidence was given up',
    );
    await this.#options.jobs.failed(job.id, reason, null, this.#options.clock.now());
  }

  /** @returns what went wrong, null when the storage took it */
  async #put(
    job: EvidenceJob,
    { file, access }: { file: Announced; access: UploadAccess },
    signal: AbortSignal,
  ): Promise<string | null> {
    const named = Object.keys(access.headers).some((header) => header.toLowerCase() === 'content-type');
    try {
      const answer = await this.#options.client.send({
        method: 'PUT',
        url: access.putUrl,
        headers: { ...(named ? {} : { 'content-type': file.contentType }), ...access.headers },
        body: { size: file.size, open: () => this.#options.files.read(job.eventId, file.sha256) },
        maxAnswer: 64 * 1024,
        signal,
        timeoutMs: Math.min(UPLOAD_MS.longest, UPLOAD_MS.first + Math.ceil(file.size / UPLOAD_MS.bytesPerMs)),
      });
      return answer.status >= 200 && answer.status < 300 ? null : `the storage answered ${answer.status}`;
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return error.cause instanceof AddressRefused
        ? `${error.message}; allow it with CORE_PUSH_NETWORKS`
        : `the storage cannot be reached: ${error.message}`;
    }
  }
}

const DAMAGED =
  'the file is damaged on the disk of this server; the consumer may ask again once it is mended';

const expired = (ends: number | null): string =>
  `the address expired on ${formatTimeOrNull(ends)}; the consumer must name a new one`;
