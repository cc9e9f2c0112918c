import type { Clock } from '../../common/clock.ts';
import { openAccess } from '../../common/core/evidence/access.ts';
import type { Announced } from '../../common/core/evidence/decide.ts';
import type {
  EvidenceJob,
  EvidenceJobPort,
  EvidencePort,
  RemoteEvidence,
  RemoteFile,
} from '../../common/core/evidence/port.ts';
import type { EventPort } from '../../common/core/event/port.ts';
import { readDoc, type EventRecord } from '../../common/core/event/record.ts';
import type { RetentionHook } from '../../common/core/retention/port.ts';
import type { Logger } from '../../common/log.ts';
import { SecretError, type SecretSources } from '../../common/secret/secret.ts';
import { EVIDENCE, type EvidenceWant, type StatesRequest } from '../../common/uplink/evidence.ts';
import type { UplinkRequest } from '../../common/uplink/wire.ts';
import {
  remoteFileOf,
  orderReason,
  type Order,
  wantOf,
  reasonNotAsked,
  whyOutdated,
  wireWant,
} from './decide.ts';
import { DueLooks } from './due.ts';
import { missingFiles, type MissingFile, type CallingSite } from './named.ts';
import type { PartFiles } from './parts.ts';
import type { NewWant, Want, WantPort } from './port.ts';

/** Wants that one answer carries at most. */
const MAX_WANTS = 50;
/** Offered files that one site has under way at a time. */
const OFFERED_AT_ONCE = 200;
/** A want of which its site says nothing for so long is told again: one of the two may have been put back. */
const SILENT_MS = 1_800_000;
/** How long a job rests whose order is with a site; what the site says of it comes meanwhile. */
const ORDER_REST_MS = 120_000;

export interface HubEvidenceOptions {
  wants: WantPort;
  events: EventPort;
  evidence: EvidencePort;
  jobs: EvidenceJobPort;
  parts: PartFiles;
  /** What the site that an instance stands for now understands; null: it has not called yet. */
  features: (instance: string) => Promise<readonly string[] | null>;
  /** Opens what the jobs keep sealed. */
  secrets: SecretSources;
  clock: Clock;
  log: Logger;
}

/** Files of sites: what is wanted of them, and what they say of it (design §6, "Beside the two channels"). */
export class HubEvidence implements RemoteEvidence {
  #options: HubEvidenceOptions;
  #looks = new DueLooks();

  constructor(options: HubEvidenceOptions) {
    this.#options = options;
  }

  async ofEvent(event: EventRecord): Promise<Map<string, RemoteFile>> {
    const { instance } = event;
    if (instance === null) return new Map();
    const wants = await this.#kept(event);
    return new Map(
      (readDoc(event).evidence ?? []).map(({ name }) => [
        name,
        remoteFileOf(instance, wants.get(name) ?? null),
      ]),
    );
  }

  async #kept({ tenantCode, id }: EventRecord): Promise<Map<string, Want>> {
    const wants = await this.#options.wants.ofEvent(tenantCode, id);
    return new Map(wants.filter(({ kind }) => kind === 'keep').map((want) => [want.name, want]));
  }

  async ask(event: EventRecord, file: Announced, actor: string): Promise<RemoteFile> {
    const { wants, clock } = this.#options;
    const { instance } = event;
    if (instance === null) throw new Error('the event arose here');
    const site = (await wants.sites()).get(instance);
    const reason = reasonNotAsked(site, await this.#outdated(instance));
    const standing = (await this.#kept(event)).get(file.name) ?? null;
    if (reason !== null && (standing === null || standing.held === 0))
      return { ...remoteFileOf(instance, null), reason, sendsNone: site?.mode === 'none' };
    const want = await wants.ask(
      wantOf(event, file, { id: clock.newId(), kind: 'keep', askedBy: actor }),
      clock.now(),
    );
    this.#looks.asked();
    return remoteFileOf(instance, want);
  }

  /** Why the site that an instance stands for now takes no wants; null: it does, or has not called yet. */
  async #outdated(instance: string): Promise<string | null> {
    return whyOutdated(instance, await this.#options.features(instance));
  }

  async order(
    job: EvidenceJob,
    event: EventRecord,
    file: Announced,
    here: boolean,
  ): Promise<{ reason: string; known: boolean } | null> {
    const { wants, clock } = this.#options;
    const standing = await wants.find(job.id);
    if (here && (standing === null || standing.toldEpoch === null)) {
      if (standing) await wants.fulfilled(standing, clock.now());
      return null;
    }
    const want =
      standing ??
      (await wants.ask(wantOf(event, file, { id: job.id, kind: 'put', askedBy: job.consumer }), clock.now()));
    if (standing === null) this.#looks.asked();
    const outdated = await this.#outdated(want.instance);
    return { reason: orderReason(want, outdated), known: want.toldEpoch !== null };
  }

  /** What goes down to a site with an answer. @param epoch of the site's store */
  async forSite(instance: string, epoch: string): Promise<EvidenceWant[]> {
    const { wants, clock } = this.#options;
    const untold = await wants.untold(instance, epoch, clock.now() - SILENT_MS, {
      atOnce: OFFERED_AT_ONCE,
      limit: MAX_WANTS,
    });
    const told: EvidenceWant[] = [];
    for (const want of untold) {
      if (want.kind === 'keep') told.push(wireWant(want, null));
      else {
        const order = await this.#orderOf(want);
        if (order) told.push(wireWant(want, order));
      }
    }
    return told;
  }

  /**
   * The same beside the answer to a channel, to a site that understands it, where it is due. What travels
   * beside must not hold the channel up: what cannot be told now comes with a later answer.
   */
  async beside({ instance, epoch, features }: UplinkRequest): Promise<{ evidence?: EvidenceWant[] }> {
    if (!features?.includes(EVIDENCE)) return {};
    if (!this.#looks.take({ instance, epoch }, this.#options.clock.monotonic())) return { evidence: [] };
    try {
      return { evidence: await this.forSite(instance, epoch) };
    } catch (error) {
      this.#options.log.warn({ err: error, instance }, 'the files wanted of a site could not be told');
      return {};
    }
  }

  /** null: there is nothing left to carry out, and the want is withdrawn. */
  async #orderOf(want: Want): Promise<Order | null> {
    const { wants, jobs, secrets, clock } = this.#options;
    const job = await jobs.get(want.id);
    try {
      if (job?.state === 'pending') return { consumer: job.consumer, access: openAccess(job, secrets) };
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      const reason = 'what opens the address was sealed under another key; the consumer must ask again';
      await jobs.failed(want.id, reason, null, clock.now());
    }
    await wants.fulfilled(want, clock.now());
    return null;
  }

  /** Takes what a site says. What it says of wants that there are not, or of other sites, changes nothing. */
  async said(
    caller: CallingSite,
    { states, offers, gone, mode, backlog, epoch }: StatesRequest,
  ): Promise<void> {
    const { wants, clock } = this.#options;
    await wants.heard(
      caller.instance,
      { mode, backlogFiles: backlog.files, backlogBytes: backlog.bytes },
      clock.now(),
    );
    await this.#stated(caller, states, epoch);
    const wantFor = ({ event, file }: MissingFile): NewWant =>
      wantOf(event, file, { id: clock.newId(), kind: 'keep', askedBy: null });
    await wants.offered((await missingFiles(this.#options, caller, offers)).map(wantFor), clock.now());
    const deleted = await missingFiles(this.#options, caller, gone);
    await wants.gone(
      deleted.map((one) => ({ want: wantFor(one), at: one.named.at })),
      clock.now(),
    );
  }

  async #stated({ owned }: CallingSite, states: StatesRequest['states'], epoch: string): Promise<void> {
    const { wants, clock } = this.#options;
    const found = await wants.among(states.map(({ want_id: id }) => id));
    const known = new Map(found.map((want) => [want.id, want]));
    const kept: Parameters<WantPort['told']>[0][number][] = [];
    for (const { want_id: id, ...said } of states) {
      const want = known.get(id);
      if (!want || want.settledAt !== null || !owned.has(want.instance)) continue;
      if (want.kind === 'put') await this.#ordered(want, said, epoch);
      else kept.push({ id, ...said });
    }
    await wants.told(kept, { epoch, now: clock.now() });
  }

  /** The job shows what becomes of its order. */
  async #ordered(
    want: Want,
    { state, reason, at }: Omit<StatesRequest['states'][number], 'want_id'>,
    epoch: string,
  ): Promise<void> {
    const { wants, jobs, clock } = this.#options;
    const now = clock.now();
    if (state === 'done') await jobs.done(want.id, now);
    else if (state === 'gone' || state === 'failed')
      await jobs.failed(want.id, `at the site ${want.instance}: ${reason ?? state}`, null, now);
    else {
      await wants.told([{ id: want.id, state, reason, at }], { epoch, now });
      const text = orderReason({ ...want, state, reason }, null);
      await jobs.postpone(want.id, now + ORDER_REST_MS, text);
      return;
    }
    await wants.fulfilled(want, now);
  }

  /** Removes what had come of files that nobody wants any more. @returns how many */
  async sweep(): Promise<number> {
    const { wants, parts } = this.#options;
    const ids = await parts.ids();
    const wanted = await wants.openAmong(ids);
    const left = ids.filter((id) => !wanted.has(id));
    for (const id of left) await parts.remove(id);
    return left.length;
  }

  /** Wants go with the events that retention deletes. */
  get retentionHook(): RetentionHook {
    const { wants, parts } = this.#options;
    return {
      name: 'wanted evidence',
      forget: async (eventIds) => {
        for (const id of await wants.forget(eventIds)) await parts.remove(id);
        return {};
      },
    };
  }
}
