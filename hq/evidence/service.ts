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
import { SecretError, type SecretSources } from '../../common/secret/secret.ts';
import type { EvidenceWant } from '../../common/uplink/evidence.ts';
import { type Order, orderReason, reasonNotAsked, remoteFileOf, wantOf, wireWant } from './decide.ts';
import type { PartFiles } from './parts.ts';
import type { Want, WantPort } from './port.ts';

export interface HubEvidenceOptions {
  wants: WantPort;
  jobs: EvidenceJobPort;
  parts: PartFiles;
  /** Opens what the jobs keep sealed. */
  secrets: SecretSources;
  clock: Clock;
}

/** Files of sites: what is wanted of them, and what they say of it (DESIGN.md, "Beside the two channels"). */
export class HubEvidence implements RemoteEvidence {
  readonly #options: HubEvidenceOptions;

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
    const { instance } = event;
    if (instance === null) throw new Error('the event arose here');
    const site = (await this.#options.wants.sites()).get(instance);
    const reason = reasonNotAsked(site);
    const standing = (await this.#kept(event)).get(file.name) ?? null;
    if (reason !== null && (standing === null || standing.held === 0))
      return { ...remoteFileOf(instance, null), reason, sendsNone: site?.mode === 'none' };
    const want = await this.#options.wants.ask(
      wantOf(event, file, { id: this.#options.clock.newId(), kind: 'keep', askedBy: actor }),
      this.#options.clock.now(),
    );
    return remoteFileOf(instance, want);
  }

  async order(
    job: EvidenceJob,
    event: EventRecord,
    file: Announced,
    here: boolean,
  ): Promise<{ reason: string; known: boolean } | null> {
    const standing = await this.#options.wants.find(job.id);
    if (here && (standing === null || standing.toldEpoch === null)) {
      if (standing) await this.#options.wants.fulfilled(standing, this.#options.clock.now());
      return null;
    }
    const want =
      standing ??
      (await this.#options.wants.ask(
        wantOf(event, file, { id: job.id, kind: 'put', askedBy: job.consumer }),
        this.#options.clock.now(),
      ));
    return { reason: orderReason(want), known: want.toldEpoch !== null };
  }

  /** Those of these wants that are open, as they go down. An order that is over is withdrawn. */
  async open(ids: readonly string[]): Promise<EvidenceWant[]> {
    const open: EvidenceWant[] = [];
    for (const want of await this.#options.wants.among(ids)) {
      if (want.settledAt !== null) continue;
      if (want.kind === 'keep') open.push(wireWant(want, null));
      else {
        const order = await this.#orderOf(want);
        if (order) open.push(wireWant(want, order));
      }
    }
    return open;
  }

  /** null: there is nothing left to carry out, and the want is withdrawn. */
  async #orderOf(want: Want): Promise<Order | null> {
    const job = await this.#options.jobs.get(want.id);
    try {
      if (job?.state === 'pending')
        return { consumer: job.consumer, access: openAccess(job, this.#options.secrets) };
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      const reason = 'what opens the address was sealed under another key; the consumer must ask again';
      await this.#options.jobs.failed(want.id, reason, null, this.#options.clock.now());
    }
    await this.#options.wants.fulfilled(want, this.#options.clock.now());
    return null;
  }

  /** Removes what had come of files that nobody wants any more. @returns how many */
  async sweep(): Promise<number> {
    const ids = await this.#options.parts.ids();
    const wanted = await this.#options.wants.openAmong(ids);
    const left = ids.filter((id) => !wanted.has(id));
    for (const id of left) await this.#options.parts.remove(id);
    return left.length;
  }

  /** Wants go with the events that retention deletes. */
  get retentionHook(): RetentionHook {
    return {
      name: 'wanted evidence',
      forget: async (eventIds) => {
        for (const id of await this.#options.wants.forget(eventIds)) await this.#options.parts.remove(id);
        return {};
      },
    };
  }
}
