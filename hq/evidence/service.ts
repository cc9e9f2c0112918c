import type { Clock } from '../../common/clock.ts';
import { type EventRecord, readDoc } from '../../common/core/event/record.ts';
import { openAccess } from '../../common/core/evidence/access.ts';
import type { Announced } from '../../common/core/evidence/decide.ts';
import type {
  EvidenceJob,
  EvidenceJobPort,
  RemoteEvidence,
  RemoteFile,
} from '../../common/core/evidence/port.ts';
import type { RetentionHook } from '../../common/core/retention/port.ts';
import type { Logger } from '../../common/log.ts';
import { SecretError, type SecretSources } from '../../common/secret/secret.ts';
import { EVIDENCE, type EvidenceWant } from '../../common/uplink/evidence.ts';
import type { Caller } from '../receiver/held/downlink.ts';
import {
  type Order,
  orderReason,
  reasonNotAsked,
  remoteFileOf,
  wantOf,
  whyOutdated,
  wireWant,
} from './decide.ts';
import { DueLooks } from './due.ts';
import type { PartFiles } from './parts.ts';
import type { Want, WantPort } from './port.ts';

/** Wants that one answer carries at most. */
const MAX_WANTS = 50;
/** Offered files that one site has under way at a time. */
const OFFERED_AT_ONCE = 200;
/** A want of which its site says nothing for so long is told again: one of the two may have been put back. */
const SILENT_MS = 1_800_000;

export interface HubEvidenceOptions {
  wants: WantPort;
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
  #wants: WantPort;
  #jobs: EvidenceJobPort;
  #parts: PartFiles;
  #features: HubEvidenceOptions['features'];
  #secrets: SecretSources;
  #clock: Clock;
  #log: Logger;
  #looks = new DueLooks();

  constructor(options: HubEvidenceOptions) {
    this.#wants = options.wants;
    this.#jobs = options.jobs;
    this.#parts = options.parts;
    this.#features = options.features;
    this.#secrets = options.secrets;
    this.#clock = options.clock;
    this.#log = options.log;
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
    const wants = await this.#wants.ofEvent(tenantCode, id);
    return new Map(wants.filter(({ kind }) => kind === 'keep').map((want) => [want.name, want]));
  }

  async ask(event: EventRecord, file: Announced, actor: string): Promise<RemoteFile> {
    const { instance } = event;
    if (instance === null) throw new Error('the event arose here');
    const site = (await this.#wants.sites()).get(instance);
    const reason = reasonNotAsked(site, await this.#outdated(instance));
    const standing = (await this.#kept(event)).get(file.name) ?? null;
    if (reason !== null && (standing === null || standing.held === 0))
      return { ...remoteFileOf(instance, null), reason, sendsNone: site?.mode === 'none' };
    const want = await this.#wants.ask(
      wantOf(event, file, { id: this.#clock.newId(), kind: 'keep', askedBy: actor }),
      this.#clock.now(),
    );
    this.#looks.asked();
    return remoteFileOf(instance, want);
  }

  /** Why the site that an instance stands for now takes no wants; null: it does, or has not called yet. */
  async #outdated(instance: string): Promise<string | null> {
    return whyOutdated(instance, await this.#features(instance));
  }

  async order(
    job: EvidenceJob,
    event: EventRecord,
    file: Announced,
    here: boolean,
  ): Promise<{ reason: string; known: boolean } | null> {
    const standing = await this.#wants.find(job.id);
    if (here && (standing === null || standing.toldEpoch === null)) {
      if (standing) await this.#wants.fulfilled(standing, this.#clock.now());
      return null;
    }
    const want =
      standing ??
      (await this.#wants.ask(
        wantOf(event, file, { id: job.id, kind: 'put', askedBy: job.consumer }),
        this.#clock.now(),
      ));
    if (standing === null) this.#looks.asked();
    const outdated = await this.#outdated(want.instance);
    return { reason: orderReason(want, outdated), known: want.toldEpoch !== null };
  }

  /** What goes down to a site with an answer. @param epoch of the site's store */
  async forSite(instance: string, epoch: string): Promise<EvidenceWant[]> {
    const untold = await this.#wants.untold(instance, epoch, this.#clock.now() - SILENT_MS, {
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
  async beside({
    instance,
    epoch,
    features,
  }: Caller): Promise<{ evidence: EvidenceWant[] | undefined; looked: boolean }> {
    if (!features?.includes(EVIDENCE)) return { evidence: undefined, looked: true };
    if (!this.#looks.take({ instance, epoch }, this.#clock.monotonic()))
      return { evidence: [], looked: false };
    try {
      return { evidence: await this.forSite(instance, epoch), looked: true };
    } catch (error) {
      this.#log.warn({ err: error, instance }, 'the files wanted of a site could not be told');
      return { evidence: undefined, looked: false };
    }
  }

  /** Something is changed of what is wanted of a site; null: of any. */
  changed(instance: string | null): void {
    this.#looks.changed(instance);
  }

  /** null: there is nothing left to carry out, and the want is withdrawn. */
  async #orderOf(want: Want): Promise<Order | null> {
    const job = await this.#jobs.get(want.id);
    try {
      if (job?.state === 'pending') return { consumer: job.consumer, access: openAccess(job, this.#secrets) };
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      const reason = 'what opens the address was sealed under another key; the consumer must ask again';
      await this.#jobs.failed(want.id, reason, null, this.#clock.now());
    }
    await this.#wants.fulfilled(want, this.#clock.now());
    return null;
  }

  /** Removes what had come of files that nobody wants any more. @returns how many */
  async sweep(): Promise<number> {
    const ids = await this.#parts.ids();
    const wanted = await this.#wants.openAmong(ids);
    const left = ids.filter((id) => !wanted.has(id));
    for (const id of left) await this.#parts.remove(id);
    return left.length;
  }

  /** Wants go with the events that retention deletes. */
  get retentionHook(): RetentionHook {
    return {
      name: 'wanted evidence',
      forget: async (eventIds) => {
        for (const id of await this.#wants.forget(eventIds)) await this.#parts.remove(id);
        return {};
      },
    };
  }
}
