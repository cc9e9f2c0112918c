import { jobRow } from '../../../../common/core/evidence/decide.ts';
import type { NewEvidenceJob } from '../../../../common/core/evidence/port.ts';
import { formatTime } from '../../../../common/time.ts';
import {
  type EvidenceBacklog,
  type EvidenceWantPort,
  type NamedFile,
  type PreviewedFile,
  type ReadyFile,
  type SiteWant,
  stateText,
  type WantAnswer,
} from '../../../uplink/evidence/port.ts';
import type { GroupCommit } from '../../engine/group-commit.ts';
import type { SiteEvidenceJobs } from '../evidence-job.ts';
import { prepareWants, type WantRow } from './evidence-want-statements.ts';

/** Where the event of a wanted file is not kept any more, and when it went is not known. */
const NO_EVENT = 'the site does not keep the event any more';

const NOTHING: EvidenceBacklog = { files: 0, bytes: 0, oldestAt: null, awaited: 0, orders: 0 };

/** What headquarters wants of this site's files, on SQLite. */
export class SiteEvidenceWants implements EvidenceWantPort {
  #group: GroupCommit;
  #jobs: Pick<SiteEvidenceJobs, 'insert'>;
  #sql: ReturnType<typeof prepareWants>;

  constructor(group: GroupCommit, jobs: Pick<SiteEvidenceJobs, 'insert'>) {
    this.#group = group;
    this.#jobs = jobs;
    this.#sql = prepareWants(group.sqlite);
  }

  take(wants: readonly { want: SiteWant; job: NewEvidenceJob | null }[]): Promise<void> {
    return this.#group.write(() => {
      for (const { want, job } of wants) {
        const { changes } = this.#sql.add.run({ ...want, offered: want.offered ? 1 : 0 });
        if (changes === 0) this.#sql.untell.run(want.id);
        else if (job) this.#jobs.insert(jobRow(job, want.askedAt));
      }
    });
  }

  ready(limit: number, without: readonly string[]): ReadyFile[] {
    return this.#sql.ready
      .all(JSON.stringify(without), limit)
      .map((file) => ({ ...file, offered: file.offered === 1 }));
  }

  previewed(lastEventId: number, without: readonly string[]): PreviewedFile | null {
    return this.#sql.previewed.get(lastEventId, JSON.stringify(without)) ?? null;
  }

  /** With it go those whose file was deleted meanwhile. */
  previewSettled({ eventId, name }: Pick<PreviewedFile, 'eventId' | 'name'>): Promise<void> {
    return this.#group.write(() => {
      this.#sql.previewSettled.run(eventId, name);
      this.#sql.previewLost.run();
    });
  }

  previewsWaiting(): number {
    return this.#sql.previewsWaiting.get() ?? 0;
  }

  async lose(now: number): Promise<void> {
    if (this.#sql.lost.all().length === 0) return;
    await this.#group.write(() => {
      for (const { id, kind, at } of this.#sql.lost.all()) {
        const reason = at === null ? NO_EVENT : `deleted at the site on ${formatTime(at)}`;
        this.#sql.settle.run('gone', reason, at, id);
        if (kind === 'put') this.#sql.failJob.run(reason, now, id);
      }
    });
  }

  end(id: string): Promise<void> {
    return this.#group.write(() => void this.#sql.end.run(id));
  }

  arrived(id: string): Promise<void> {
    return this.#group.write(() => {
      this.#sql.held.run(id);
      this.#sql.end.run(id);
    });
  }

  async held(files: readonly Omit<NamedFile, 'eventId'>[]): Promise<void> {
    if (files.length === 0) return;
    await this.#group.write(() => {
      for (const { tenantCode, eventKey, name } of files) this.#sql.heldByKey.run(tenantCode, eventKey, name);
    });
  }

  fail(id: string, reason: string): Promise<void> {
    return this.#group.write(() => void this.#sql.settle.run('failed', reason, null, id));
  }

  untold(limit: number): WantAnswer[] {
    const changed: WantAnswer[] = [];
    for (const row of this.#sql.wants.iterate()) {
      const told = toldOf(row);
      if (stateText(told) !== row.told) changed.push(told);
      if (changed.length === limit) break;
    }
    return changed;
  }

  offers(lastEventId: number, limit: number): NamedFile[] {
    return this.#sql.offers.all(lastEventId, limit);
  }

  goneUntold(lastEventId: number, limit: number): (NamedFile & { at: number })[] {
    return this.#sql.gone.all(lastEventId, limit);
  }

  told(
    states: readonly WantAnswer[],
    offers: readonly NamedFile[],
    gone: readonly NamedFile[],
  ): Promise<void> {
    return this.#group.write(() => {
      for (const told of states) {
        if (['gone', 'failed', 'done'].includes(told.state)) this.#sql.end.run(told.id);
        else this.#sql.told.run(stateText(told), told.id);
      }
      for (const { eventId, name } of offers) {
        this.#sql.offered.run(eventId, name);
        this.#sql.offeredTo.run(eventId, name);
      }
      for (const { eventId, name } of gone) this.#sql.goneTold.run(eventId, name);
      if (gone.length > 0) this.#sql.goneWithEvent.run();
    });
  }

  waiting(): EvidenceBacklog {
    const wanted = this.#sql.wanted.get() ?? NOTHING;
    const offered = this.#sql.offering.get() ?? NOTHING;
    const oldest = [wanted.oldestAt, this.#sql.firstOffered.get()?.at ?? null].filter((at) => at !== null);
    return {
      ...wanted,
      files: wanted.files + offered.files,
      bytes: wanted.bytes + offered.bytes,
      oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
    };
  }
}

function toldOf({ id, kind, state, reason, at, here, jobState, jobError }: WantRow): WantAnswer {
  if (state !== 'open') return { id, state, reason, at };
  if (kind === 'keep') return { id, state: here === 1 ? 'taken' : 'awaited', reason: null, at: null };
  if (jobState === 'done') return { id, state: 'done', reason: null, at: null };
  if (jobState === null || jobState === 'failed') return { id, state: 'failed', reason: jobError, at: null };
  return { id, state: jobError === null ? 'taken' : 'waiting', reason: jobError, at: null };
}
