import { AppError, unauthorized } from '../../../common/http/error.ts';
import { type InboxAnswer, type InboxRequest, MAX_HOLD_MS } from '../../../common/uplink/inbox.ts';
import { HUB_FEATURES, PROTOCOL } from '../../../common/uplink/wire.ts';
import type { Contacts } from '../contact/contacts.ts';
import type { QuietSite, QuietSites } from '../contact/quiet.ts';
import type { SiteReports } from '../report.ts';
import { checkSender, type SiteKey } from '../sender.ts';
import type { Inbox, Page } from './inbox.ts';
import type { Waiters } from './waiters.ts';

export interface InboxCallOptions {
  waiters: Waiters;
  inbox: Inbox;
  quiet: QuietSites;
  contacts: Contacts;
  reports: SiteReports;
  /** Epoch of this store. */
  epoch: () => string;
  /** Whether there is such a key now. */
  isLive: (keyId: string) => Promise<boolean>;
}

/** Answers sites that ask what waits for them, once something does (common/uplink/inbox.ts). */
export class InboxCalls {
  readonly #options: InboxCallOptions;

  constructor(options: InboxCallOptions) {
    this.#options = options;
  }

  /**
   * @param key that the request was signed with, and the instance that it is of
   * @param gone calls back when nobody hears the answer any more
   * @returns the answer, or the call that is held until there is one
   * @throws AppError 400, 403 for another instance
   */
  async answer(
    request: InboxRequest,
    { keyId, subject }: SiteKey,
    gone: (callBack: () => void) => void,
  ): Promise<InboxAnswer | { held: Promise<InboxAnswer> }> {
    checkSender(request, subject);
    await this.#options.contacts.note(request);
    await this.#options.reports.keep(request.instance, request.report);
    if (!this.#options.waiters.hasRoom(subject)) return this.#reply(await this.#look(request), false);
    const wait = this.#options.waiters.begin(subject, Math.min(request.hold_ms, MAX_HOLD_MS));
    let left = false;
    try {
      gone(() => {
        left = true;
        wait.wake();
      });
      const first = await this.#look(request);
      if (first.items.length === 0 && request.hold_ms > 0)
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
    request: InboxRequest,
    keyId: string,
    { woken, end }: ReturnType<Waiters['begin']>,
    left: () => boolean,
  ): Promise<InboxAnswer> {
    try {
      await woken;
      // Nobody hears the answer; what the call holds here is given back.
      if (left()) throw new AppError(400, 'body_incomplete', 'The caller has gone.');
      if (!(await this.#options.isLive(keyId))) throw unauthorized('The key of this call was withdrawn.');
      return this.#reply(await this.#look(request), true);
    } finally {
      end();
    }
  }

  async #look(request: InboxRequest): Promise<Page & { tenants: readonly string[] | null }> {
    const site: QuietSite = this.#options.quiet.of(request.instance, request.features ?? []);
    const tenants = await this.#options.quiet.tenantsOf(site, request.instance);
    return { ...(await this.#options.inbox.after(request, site)), tenants };
  }

  #reply({ tenants, ...page }: Page & { tenants: readonly string[] | null }, held: boolean): InboxAnswer {
    const fixed = { protocol: PROTOCOL, epoch: this.#options.epoch(), features: HUB_FEATURES };
    return { ...fixed, ...page, ...(tenants ? { tenants } : {}), held };
  }
}
