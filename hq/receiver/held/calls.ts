import { hash } from 'node:crypto';
import { AppError, unauthorized } from '../../../common/http/error.ts';
import { type HeldAnswer, type HeldRequest, MAX_HOLD_MS } from '../../../common/uplink/held.ts';
import { HUB_FEATURES, PROTOCOL } from '../../../common/uplink/wire.ts';
import type { Contacts } from '../contact/contacts.ts';
import type { QuietSites } from '../contact/quiet.ts';
import type { SiteReports } from '../report.ts';
import { checkSender, type SiteKey } from '../sender.ts';
import type { Downlink, Downlinks } from './downlink.ts';
import type { Waiters } from './waiters.ts';

export interface HeldCallOptions {
  waiters: Waiters;
  downlinks: Downlinks;
  quiet: QuietSites;
  contacts: Contacts;
  reports: SiteReports;
  /** Epoch of this store. */
  epoch: () => string;
  /** Whether there is such a key now. */
  isLive: (keyId: string) => Promise<boolean>;
}

/** Answers sites that ask what waits for them, once something does (common/uplink/held.ts). */
export class HeldCalls {
  #waiters: Waiters;
  #downlinks: Downlinks;
  #quiet: QuietSites;
  #contacts: Contacts;
  #reports: SiteReports;
  #epoch: () => string;
  #isLive: HeldCallOptions['isLive'];

  constructor(options: HeldCallOptions) {
    this.#waiters = options.waiters;
    this.#downlinks = options.downlinks;
    this.#quiet = options.quiet;
    this.#contacts = options.contacts;
    this.#reports = options.reports;
    this.#epoch = options.epoch;
    this.#isLive = options.isLive;
  }

  /**
   * @param key that the request was signed with, and the instance that it is of
   * @param gone calls back when nobody hears the answer any more
   * @returns the answer, or the call that is held until there is one
   * @throws AppError 400, 403 for another instance
   */
  async answer(
    request: HeldRequest,
    { keyId, subject }: SiteKey,
    gone: (callBack: () => void) => void,
  ): Promise<HeldAnswer | { held: Promise<HeldAnswer> }> {
    checkSender(request, subject);
    await this.#contacts.note(request);
    await this.#reports.keep(request.instance, request.report);
    if (!this.#waiters.hasRoom(subject)) return this.#reply(await this.#look(request), false);
    const wait = this.#waiters.begin(subject, Math.min(request.hold_ms, MAX_HOLD_MS));
    let left = false;
    try {
      gone(() => {
        left = true;
        wait.wake();
      });
      const first = await this.#look(request);
      if (markOf(first) === request.known && request.hold_ms > 0)
        return { held: this.#held(request, keyId, wait, () => left) };
      wait.end();
      return this.#reply(first, true);
    } catch (error) {
      wait.end();
      throw error;
    }
  }

  /** @throws AppError when there is nobody to answer, or the key was withdrawn meanwhile */
  async #held(
    request: HeldRequest,
    keyId: string,
    { woken, end }: ReturnType<Waiters['begin']>,
    left: () => boolean,
  ): Promise<HeldAnswer> {
    try {
      await woken;
      // Nobody hears the answer; what the call holds here is given back.
      if (left()) throw new AppError(400, 'body_incomplete', 'The caller has gone.');
      if (!(await this.#isLive(keyId))) throw unauthorized('The key of this call was withdrawn.');
      return this.#reply(await this.#look(request), true);
    } finally {
      end();
    }
  }

  async #look(request: HeldRequest): Promise<Downlink> {
    return this.#downlinks.of(request, this.#quiet.of(request.instance, request.features ?? []));
  }

  #reply(downlink: Downlink, held: boolean): HeldAnswer {
    const fixed = { protocol: PROTOCOL, epoch: this.#epoch(), features: HUB_FEATURES };
    return { ...fixed, ...downlink, mark: markOf(downlink), held };
  }
}

/** Stands for what waits; empty when nothing does. */
function markOf({ decisions, orders = [], evidence = [] }: Downlink): string {
  const ids = [
    ...decisions.map((one) => one.decision_id),
    ...orders.map((one) => one.order_id),
    ...evidence.map((one) => one.want_id),
  ];
  return ids.length === 0 ? '' : hash('sha256', JSON.stringify(ids), 'hex').slice(0, 32);
}
