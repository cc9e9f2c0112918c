import type { HeldCall } from '../../../common/http/body/held.ts';
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
}

/** Answers sites that ask what waits for them, once something does (common/uplink/inbox.ts). */
export class InboxCalls {
  readonly #options: InboxCallOptions;

  constructor(options: InboxCallOptions) {
    this.#options = options;
  }

  /**
   * @param key that the request was signed with, and the instance that it is of
   * @returns the answer, or the call that is held until there is one
   * @throws AppError 400, 403 for another instance
   */
  async answer(
    request: InboxRequest,
    { subject }: SiteKey,
    call: Pick<HeldCall, 'gone' | 'check'>,
  ): Promise<InboxAnswer | { later: Promise<InboxAnswer> }> {
    checkSender(request, subject);
    await this.#options.contacts.note(request);
    await this.#options.reports.keep(request.instance, request.report);
    if (!this.#options.waiters.hasRoom(subject)) return this.#reply(await this.#look(request), false);
    const wait = this.#options.waiters.begin(subject, Math.min(request.hold_ms, MAX_HOLD_MS));
    try {
      call.gone.addEventListener('abort', wait.wake);
      if (call.gone.aborted) wait.wake();
      const first = await this.#look(request);
      if (first.items.length === 0 && request.hold_ms > 0) return { later: this.#held(request, wait, call) };
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
    { woken, end }: ReturnType<Waiters['begin']>,
    call: Pick<HeldCall, 'check'>,
  ): Promise<InboxAnswer> {
    try {
      await woken;
      await call.check();
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
