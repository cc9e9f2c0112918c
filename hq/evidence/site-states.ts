import type { Clock } from '../../common/clock.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import type { EvidenceJobPort, EvidencePort } from '../../common/core/evidence/port.ts';
import type { Fault } from '../../common/http/fault/fault.ts';
import type { Logger } from '../../common/log.ts';
import {
  type FileOfEvent,
  readStates,
  type StatesCall,
  type StatesRequest,
} from '../../common/uplink/evidence.ts';
import { orderReason, wantOf } from './decide.ts';
import { type CallingSite, type MissingFile, namedFiles } from './named.ts';
import type { NewWant, Want, WantPort } from './port.ts';

/** A want of which its site says nothing for so long is told again: one of the two may have been put back. */
const SILENT_MS = 1_800_000;
/** Whether a site is silent about one is looked up this often at most, ms. */
const LOOK_EVERY_MS = 60_000;

/** How long a job rests whose order is with a site; what the site says of it comes meanwhile. */
const ORDER_REST_MS = 120_000;

export interface SiteStatesParts {
  wants: WantPort;
  events: EventPort;
  evidence: EvidencePort;
  jobs: EvidenceJobPort;
  clock: Clock;
  log: Logger;
}

/** What sites say of the files that are wanted of them, and of those that they offer. */
export class SiteStates {
  /** Entries that break a bound, since the start. */
  refused = 0;
  readonly #parts: SiteStatesParts;
  /** When it was last looked up what a site is silent about, epoch ms. */
  #looked = new Map<string, number>();

  constructor(parts: SiteStatesParts) {
    this.#parts = parts;
  }

  /**
   * Takes what a site says. Of wants that are not there, or are of other sites, it changes nothing.
   * @returns the offered files that are here
   */
  async take(caller: CallingSite, call: StatesCall): Promise<FileOfEvent[]> {
    const { request, refused } = readStates(call);
    const { states, offers, gone, mode, backlog, epoch } = request;
    if (refused.length > 0) this.#leftOut(caller, refused);
    await this.#parts.wants.heard(
      caller.instance,
      { mode, backlogFiles: backlog.files, backlogBytes: backlog.bytes },
      this.#parts.clock.now(),
    );
    await this.#stated(caller, states, epoch);
    await this.#askAgain(caller);
    const wantFor = ({ event, file }: MissingFile): NewWant =>
      wantOf(event, file, { id: this.#parts.clock.newId(), kind: 'keep', askedBy: null });
    const stored = { events: this.#parts.events, evidence: this.#parts.evidence };
    const offered = await namedFiles(stored, caller, offers);
    await this.#parts.wants.offered(offered.missing.map(wantFor), this.#parts.clock.now());
    const { missing: deleted } = await namedFiles(stored, caller, gone);
    await this.#parts.wants.gone(
      deleted.map((one) => ({ want: wantFor(one), at: one.named.at })),
      this.#parts.clock.now(),
    );
    return offered.here.map(({ named }) => named);
  }

  async #askAgain({ instance, owned }: CallingSite): Promise<void> {
    const now = this.#parts.clock.now();
    const before = this.#looked.get(instance) ?? -Infinity;
    if (now - before < LOOK_EVERY_MS && now >= before) return;
    this.#looked.set(instance, now);
    await this.#parts.wants.again([...owned], now - SILENT_MS, now);
  }

  #leftOut({ instance }: CallingSite, faults: readonly Fault[]): void {
    this.refused += faults.length;
    const [first] = faults;
    this.#parts.log.warn(
      { instance, entries: faults.length, path: first?.path, reason: first?.message },
      'what a site said of its evidence breaks a bound, and was left out',
    );
  }

  async #stated({ owned }: CallingSite, states: StatesRequest['states'], epoch: string): Promise<void> {
    const found = await this.#parts.wants.among(states.map(({ want_id: id }) => id));
    const byId = new Map(found.map((want) => [want.id, want]));
    const kept: Parameters<WantPort['told']>[0][number][] = [];
    for (const { want_id: id, ...said } of states) {
      const want = byId.get(id);
      if (!want || want.settledAt !== null || !owned.has(want.instance)) continue;
      if (want.kind === 'put') await this.#ordered(want, said, epoch);
      else kept.push({ id, ...said });
    }
    await this.#parts.wants.told(kept, { epoch, now: this.#parts.clock.now() });
  }

  /** The job shows what becomes of its order. */
  async #ordered(
    want: Want,
    { state, reason, at }: Omit<StatesRequest['states'][number], 'want_id'>,
    epoch: string,
  ): Promise<void> {
    const now = this.#parts.clock.now();
    if (state === 'done') await this.#parts.jobs.done(want.id, now);
    else if (state === 'gone' || state === 'failed')
      await this.#parts.jobs.failed(want.id, `at the site ${want.instance}: ${reason ?? state}`, null, now);
    else {
      await this.#parts.wants.told([{ id: want.id, state, reason, at }], { epoch, now });
      const text = orderReason({ ...want, state, reason });
      await this.#parts.jobs.postpone(want.id, now + ORDER_REST_MS, text);
      return;
    }
    await this.#parts.wants.fulfilled(want, now);
  }
}
