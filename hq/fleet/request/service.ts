import { type Clock, stampOf } from '../../../common/clock.ts';
import { AppError, conflict, fault, notFound } from '../../../common/http/error.ts';
import type { Logger } from '../../../common/log.ts';
import { Loop } from '../../../common/loop.ts';
import { LEAST_PIECE } from '../../../common/uplink/evidence.ts';
import type { RequestKind } from '../../../common/uplink/request/schema.ts';
import { mayLookAfter } from '../whose.ts';
import { deviceFault } from './decide.ts';
import type { RequestPort } from './port.ts';
import type { AskedFor, AskedSite, RequestRow } from './record.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Of one site: open at a time, asked within an hour, kept at all. */
export const BOUNDS = { open: 10, hour: 120, kept: 100 } as const;
/** Answers are kept so long. */
export const KEPT_DAYS = 30;
const SWEEP_EVERY_MS = 5 * MINUTE_MS;

/** Who asks: the tenant that the caller is bound to, and its name for the audit. */
export interface Asker {
  tenantCode: string | null;
  actor: string;
  /** Shown at the site. */
  name: string;
}

export interface SiteRequestsOptions {
  requests: RequestPort;
  clock: Clock;
  log: Logger;
}

/** What people at headquarters ask sites to look at or to do. A site of another tenant does not exist. */
export class SiteRequests {
  readonly loop: Loop;
  readonly #options: SiteRequestsOptions;

  constructor(options: SiteRequestsOptions) {
    this.#options = options;
    const { requests, clock, log } = options;
    this.loop = new Loop({
      name: 'requests to sites',
      interval: SWEEP_EVERY_MS,
      log,
      monotonic: () => clock.monotonic(),
      round: async () => {
        const now = clock.now();
        return { again: (await requests.sweep(now, now - KEPT_DAYS * DAY_MS)) > 0 };
      },
    });
  }

  /**
   * @param minutes from now on until it is not carried out any more
   * @throws AppError 404; 400 for a device where none is asked, or none where one is; 409 site_care_off,
   *   too_many_requests_open, too_many_requests_asked
   */
  async ask(
    instance: string,
    { what, minutes, asked }: { what: RequestKind; minutes: number; asked: AskedFor },
    by: Asker,
  ): Promise<RequestRow> {
    const site = await this.#site(instance, by.tenantCode);
    const wrong = deviceFault(what, asked.device);
    if (wrong !== null) throw fault('device', wrong === 'required' ? 'required' : 'wrong_form');
    if (site.care === 'off')
      throw conflict(
        'site_care_off',
        `The owner of ${instance} has switched looking in off (CORE_REMOTE_CARE=off there).`,
      );
    const { requests, clock } = this.#options;
    const stamp = stampOf(clock);
    const id = clock.newId();
    const expiresAt = stamp.now + minutes * MINUTE_MS;
    const tenantCode = site.tenants[0] ?? '';
    const request = {
      ...{ id, tenantCode, instance, what, asked, expiresAt },
      ...{ askedBy: by.name, askedAt: stamp.now },
    };
    const outcome = await requests.ask(request, BOUNDS, { actor: by.actor, stamp });
    if (outcome === 'too_many_open')
      throw conflict(
        'too_many_requests_open',
        `${instance} has ${BOUNDS.open} requests that are not answered yet; wait for them.`,
        true,
      );
    if (outcome === 'too_many_asked')
      throw conflict(
        'too_many_requests_asked',
        `${instance} was asked ${BOUNDS.hour} times within the last hour; wait.`,
        true,
      );
    return this.#get(instance, id);
  }

  /** @throws AppError 404 */
  async list(
    instance: string,
    bound: string | null,
  ): Promise<{ care: AskedSite['care']; rows: RequestRow[] }> {
    const { care } = await this.#site(instance, bound);
    return { care, rows: await this.#options.requests.list(instance, BOUNDS.kept) };
  }

  /** @throws AppError 404 */
  async get(instance: string, id: string, bound: string | null): Promise<RequestRow> {
    await this.#site(instance, bound);
    return this.#get(instance, id);
  }

  /**
   * Takes a request back. One that its site has by then (`sentAt`) may be carried out, and its answer is
   * stored. What was withdrawn before stays so.
   * @throws AppError 404, 409 request_over
   */
  async withdraw(instance: string, id: string, by: Asker): Promise<RequestRow> {
    await this.#site(instance, by.tenantCode);
    const { requests, clock } = this.#options;
    const row = await requests.withdraw(instance, id, { actor: by.actor, stamp: stampOf(clock) });
    if (!row) throw notFound(`The request ${id}`);
    if (row.state !== 'withdrawn')
      throw conflict('request_over', `The request ${id} is over; there is nothing to withdraw.`);
    return row;
  }

  /** @throws AppError 404 also while the file is not whole */
  async file(
    instance: string,
    id: string,
    by: Asker,
  ): Promise<{ file: NonNullable<RequestRow['file']>; bytes: Buffer }> {
    const row = await this.get(instance, id, by.tenantCode);
    const { requests, clock } = this.#options;
    const bytes = await requests.file(row, { actor: by.actor, stamp: stampOf(clock) });
    if (!row.file || !bytes) throw notFound(`The file of the request ${id}`);
    return { file: row.file, bytes };
  }

  /**
   * Takes a piece of a file from its site; an empty one asks how much is here.
   * @param owned names under which the site is known
   * @throws AppError 400 for a piece that is too small; 404 for what is not wanted; 409 request_unanswered,
   *   answer_offset; 422 answer_mismatch
   */
  async take(
    id: string,
    { offset, bytes, owned }: { offset: number; bytes: Buffer; owned: readonly string[] },
  ): Promise<{ offset: number; done: boolean }> {
    const { requests } = this.#options;
    const state = await requests.fileState(id, owned);
    if (!state || state.kind === 'unwanted') throw notFound(`The request ${id}`);
    if (state.kind === 'unanswered')
      throw conflict('request_unanswered', 'The answer is to come before its file.', true);
    if (!('held' in state)) throw notFound(`The request ${id}`);
    if (state.kind === 'whole') return { offset: state.size, done: true };
    if (state.held !== offset || offset + bytes.length > state.size)
      throw wrongOffset(state.held, state.size);
    if (bytes.length === 0) return { offset, done: false };
    if (bytes.length < LEAST_PIECE && offset + bytes.length < state.size)
      throw fault('bytes', 'at_least', { least: LEAST_PIECE });
    const { held, done, mismatch } = await requests.addPiece(id, offset, bytes);
    if (mismatch)
      throw new AppError(422, 'answer_mismatch', 'What came is not the file that was announced.', {
        extra: { offset: 0 },
      });
    if (held !== offset + bytes.length) throw wrongOffset(held, state.size);
    return { offset: held, done };
  }

  async #get(instance: string, id: string): Promise<RequestRow> {
    const row = await this.#options.requests.get(instance, id);
    if (!row) throw notFound(`The request ${id}`);
    return row;
  }

  async #site(instance: string, bound: string | null): Promise<AskedSite> {
    const site = await this.#options.requests.site(instance);
    if (!site || !mayLookAfter(site.tenants, bound)) throw notFound('The site');
    return site;
  }
}

const wrongOffset = (held: number, size: number): AppError =>
  new AppError(409, 'answer_offset', `Go on from byte ${held} of ${size}.`, {
    retryable: false,
    extra: { offset: held },
  });
