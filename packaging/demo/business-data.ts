// The data of a small construction business: seeded, and changing as work goes on.
import { timeOfMs } from '../../common/dataset/position.ts';
import type { FieldValue, WireRow } from '../../common/dataset/schema.ts';
import type { RowsQuery, ServedDataset } from '../../common/dataset/service.ts';
import { BUSINESS_DATASETS, DANGERS, DEFECTS, descriptorOf, PROJECTS, WORKS } from './business-tables.ts';

type Fields = Record<string, FieldValue>;
type Table = Map<number, { updatedAt: string; deleted: boolean; fields: Fields }>;

/** What is kept between two runs. */
export interface BusinessState {
  lastMicros: number;
  nextId: number;
  tables: Record<string, [number, { updatedAt: string; deleted: boolean; fields: Fields }][]>;
}

export class BusinessData {
  #tables: Record<string, Table> = Object.fromEntries(BUSINESS_DATASETS.map((name) => [name, new Map()]));
  #random: () => number;
  /** Epoch microseconds: each row has an update time of its own. */
  #lastMicros = 0;
  #nextId = 1;

  /** @param kept of an earlier run; without it, begins from the seed of `random` */
  constructor(random: () => number, now: number, kept: BusinessState | null) {
    this.#random = random;
    if (kept) {
      this.#lastMicros = kept.lastMicros;
      this.#nextId = kept.nextId;
      for (const name of BUSINESS_DATASETS) this.#tables[name] = new Map(kept.tables[name] ?? []);
    } else {
      this.#seed(now);
    }
  }

  get state(): BusinessState {
    return {
      lastMicros: this.#lastMicros,
      nextId: this.#nextId,
      tables: Object.fromEntries(BUSINESS_DATASETS.map((name) => [name, [...this.#table(name)]])),
    };
  }

  /** The work goes on a little: one thing changes. @returns what, in words */
  tick(now: number): string {
    const changes = [
      () => this.#progress(now),
      () => this.#progress(now),
      () => this.#milestone(now),
      () => this.#defect(now),
      () => this.#hazard(now),
      () => this.#order(now),
    ];
    return (this.#pick(changes) as () => string)();
  }

  served(): ServedDataset[] {
    return BUSINESS_DATASETS.map((name) => ({
      descriptor: descriptorOf(name),
      rows: (query) => Promise.resolve(this.#rows(name, query)),
    }));
  }

  #rows(name: string, { after, upTo, limit }: RowsQuery): WireRow[] {
    return [...this.#table(name)]
      .filter(
        ([id, { updatedAt }]) =>
          updatedAt <= upTo &&
          (!after ||
            updatedAt > after.updatedAt ||
            (updatedAt === after.updatedAt && (after.pk === '' || id > Number(after.pk)))),
      )
      .sort(([a, one], [b, other]) =>
        one.updatedAt < other.updatedAt ? -1 : one.updatedAt > other.updatedAt ? 1 : a - b,
      )
      .slice(0, limit)
      .map(
        ([id, { updatedAt, deleted, fields }]) =>
          ({ pk: String(id), updated_at: updatedAt, deleted, ...(deleted ? {} : fields) }) as WireRow,
      );
  }

  #seed(now: number): void {
    for (const { code, name } of PROJECTS) {
      const project = this.#put('projects', now, {
        code,
        name,
        status: 2,
        health_score: 70 + this.#below(30),
      });
      for (const [index, work] of WORKS.entries()) {
        const parent = this.#put('wbs_nodes', now, {
          project_id: project,
          parent_id: null,
          name: work,
          plan_progress: null,
          actual_progress: null,
        });
        for (let part = 1; part <= 3; part += 1) {
          const plan = Math.max(0, 90 - index * 20 - this.#below(10));
          this.#put('wbs_nodes', now, {
            project_id: project,
            parent_id: parent,
            name: `${work} ${part}`,
            plan_progress: plan,
            actual_progress: Math.max(0, plan - this.#below(8)),
          });
        }
        const milestone = this.#put('milestones', now, {
          project_id: project,
          code: `${code}-M${index + 1}`,
          name: `${work}完成`,
          status: index < 2 ? 3 : index === 2 ? 2 : 1,
        });
        this.#put('purchase_orders', now, {
          project_id: project,
          code: `${code}-PO${index + 1}`,
          milestone_id: milestone,
          critical_path: index % 2 === 0,
          required_on: day(now, 30),
          expected_on: day(now, 25),
          received: index < 2,
        });
      }
      for (let count = 0; count < 2; count += 1) this.#newDefect(now, project);
    }
  }

  #progress(now: number): string {
    const leaf = this.#choose(
      'wbs_nodes',
      ({ actual_progress: actual }) => typeof actual === 'number' && actual < 100,
    );
    if (!leaf) return this.#defect(now);
    const actual = Math.min(100, Number(leaf.fields.actual_progress) + 0.5 + this.#below(3));
    this.#put('wbs_nodes', now, { ...leaf.fields, actual_progress: actual }, leaf.id);
    return `${String(leaf.fields.name)} ${actual} %`;
  }

  #milestone(now: number): string {
    const one = this.#choose('milestones', ({ status }) => status !== 3);
    if (!one) return this.#progress(now);
    const status = this.#pick([2, 2, 3, 4, 5]) as number;
    this.#put('milestones', now, { ...one.fields, status }, one.id);
    return `${String(one.fields.name)} → ${status}`;
  }

  #defect(now: number): string {
    const open = this.#choose('ncrs', ({ closed }) => closed === false);
    if (open && this.#random() < 0.5) {
      this.#put('ncrs', now, { ...open.fields, closed: true }, open.id);
      return `${String(open.fields.code)} closed`;
    }
    return this.#newDefect(now, this.#project());
  }

  #newDefect(now: number, project: number): string {
    const code = `NCR-${this.#nextId}`;
    this.#put('ncrs', now, {
      project_id: project,
      code,
      title: this.#pick(DEFECTS) as string,
      level: 1 + this.#below(4),
      closed: false,
    });
    return `${code} opened`;
  }

  #hazard(now: number): string {
    const old = this.#choose('hazards', () => true);
    if (old && this.#random() < 0.3) {
      this.#delete('hazards', now, old.id);
      return `hazard ${old.id} removed`;
    }
    const level = 1 + this.#below(4);
    const title = this.#pick(DANGERS) as string;
    this.#put('hazards', now, {
      project_id: this.#project(),
      title,
      level,
      major: level >= 3,
      site_ref: 'tunnel-7',
      event_id: null,
      occurred_at: new Date(now).toISOString(),
    });
    return `${title} (${level})`;
  }

  #order(now: number): string {
    const one = this.#choose(
      'purchase_orders',
      ({ received, critical_path: critical }) => received === false && critical === true,
    );
    if (!one) return this.#progress(now);
    this.#put('purchase_orders', now, { ...one.fields, expected_on: day(now, 45) }, one.id);
    const milestone = Number(one.fields.milestone_id);
    const found = this.#table('milestones').get(milestone);
    if (found)
      this.#put('milestones', now, { ...found.fields, status: this.#pick([4, 5]) as number }, milestone);
    return `${String(one.fields.code)} is late`;
  }

  #put(name: string, now: number, fields: Fields, id = this.#nextId++): number {
    this.#table(name).set(id, { updatedAt: this.#time(now), deleted: false, fields });
    return id;
  }

  #delete(name: string, now: number, id: number): void {
    this.#table(name).set(id, { updatedAt: this.#time(now), deleted: true, fields: {} });
  }

  #time(now: number): string {
    this.#lastMicros = Math.max(now * 1000, this.#lastMicros + 1);
    const ms = Math.floor(this.#lastMicros / 1000);
    return `${timeOfMs(ms).slice(0, 23)}${String(this.#lastMicros - ms * 1000).padStart(3, '0')}Z`;
  }

  #choose(name: string, fits: (fields: Fields) => boolean): { id: number; fields: Fields } | undefined {
    return this.#pick(
      [...this.#table(name)]
        .filter(([, { deleted, fields }]) => !deleted && fits(fields))
        .map(([id, { fields }]) => ({ id, fields })),
    );
  }

  #project(): number {
    return this.#choose('projects', () => true)?.id ?? 0;
  }

  #table(name: string): Table {
    return (this.#tables[name] ??= new Map());
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#below(list.length)];
  }

  #below(count: number): number {
    return Math.floor(this.#random() * count);
  }
}

const day = (now: number, days: number): string =>
  new Date(now + days * 86_400_000).toISOString().slice(0, 10);
