// The project model and its business events, from a business system over HTTP to the rows of the hub.
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { WireRow } from '../../../common/dataset/schema.ts';
import type { PullPort } from '../../../hq/dataset/port.ts';
import type { Source } from '../../../hq/dataset/record.ts';
import { campaign } from '../../support/campaign.ts';
import { type DatasetSource, MODEL_FIELDS } from '../../support/dataset-source.ts';
import { replaced } from '../../support/replaced.ts';
import { openSeeded, type Seeded } from './model.ts';
import { BY, openPullRig, type PullRig } from './rig.ts';

const RUNS = campaign('FAULT_PROPERTY_RUNS', 5, 12);

let rig: PullRig;
afterEach(() => rig.close());

async function seeded(): Promise<Seeded> {
  rig = await openPullRig();
  return openSeeded(rig);
}

const milestone = (status: number, more: object = {}) => ({
  project_id: 1,
  code: 'M1',
  name: 'Roof',
  status,
  ...more,
});
const order = (expected: string, more: object = {}) => ({
  project_id: 1,
  milestone_id: 1,
  critical_path: true,
  required_on: '2026-05-01',
  expected_on: expected,
  received: false,
  ...more,
});

describe('a snapshot', () => {
  test('has the figures of the specification', async () => {
    const { joined, source } = await seeded();
    expect(await rig.snapshot('acme', 'P-1')).toEqual({
      projectCode: 'P-1',
      projectName: 'Tower',
      status: 2,
      healthScore: 80,
      planProgress: 53.33,
      actualProgress: 30,
      milestonesTotal: 2,
      milestonesAtRisk: 0,
      openNcr: 1,
    });
    expect(await rig.snapshot('acme', 'P-2')).toMatchObject({
      healthScore: null,
      planProgress: null,
      actualProgress: null,
      milestonesTotal: 0,
      openNcr: 0,
    });
    // The first leaf gets a child: it is a leaf no more.
    source.put('wbs_nodes', 5, { project_id: 1, parent_id: 2, plan_progress: 10, actual_progress: null });
    source.put('milestones', 1, milestone(4));
    source.put('ncrs', 1, { project_id: 1, code: 'N1', title: 'x', level: 2, closed: true });
    await rig.pull(joined);
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({
      planProgress: 33.33,
      actualProgress: 25,
      milestonesAtRisk: 1,
      openNcr: 0,
    });
    source.put('milestones', 1, milestone(4, { project_id: 2 }));
    source.delete('wbs_nodes', 5);
    await rig.pull(joined);
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({
      planProgress: 53.33,
      milestonesTotal: 1,
      milestonesAtRisk: 0,
    });
    expect(await rig.snapshot('acme', 'P-2')).toMatchObject({ milestonesTotal: 1, milestonesAtRisk: 1 });
  });

  test('of a deleted project is none, and one that comes back has its figures', async () => {
    const { joined, source } = await seeded();
    source.delete('projects', 1);
    await rig.pull(joined);
    expect(await rig.snapshot('acme', 'P-1')).toBeNull();
    source.put('projects', 1, { code: 'P-1', name: 'Tower', status: 2, health_score: 101 });
    await rig.pull(joined);
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({
      healthScore: null,
      planProgress: 53.33,
      milestonesTotal: 2,
      openNcr: 1,
    });
  });

  test('is of no project where two have the code, and an alarm names both until one goes', async () => {
    const { joined, source } = await seeded();
    source.put('projects', 3, { code: 'P-1', name: 'Tower again', status: 1, health_score: null });
    await rig.pull(joined);
    await expect(rig.snapshot('acme', 'P-1')).rejects.toThrow('several_projects');
    expect(await rig.alarms()).toEqual([expect.stringContaining('P-1 (1, 3)')]);
    source.delete('projects', 1);
    await rig.pull(joined);
    expect([(await rig.snapshot('acme', 'P-1'))?.projectName, await rig.alarms()]).toEqual([
      'Tower again',
      [],
    ]);
  });

  test('never mixes two tenants with the same codes and ids', async () => {
    const { joined } = await seeded();
    const other = await rig.source(MODEL_FIELDS);
    other.put('projects', 1, { code: 'P-1', name: 'Dam', status: 1, health_score: null });
    other.put('milestones', 1, milestone(2));
    const theirs = await rig.join(other, { tenant: 'bravo' });
    await rig.pull(theirs);
    expect(await rig.snapshot('bravo', 'P-1')).toMatchObject({
      projectName: 'Dam',
      planProgress: null,
      milestonesTotal: 1,
      milestonesAtRisk: 0,
    });
    other.put('milestones', 1, milestone(5));
    await rig.pull(theirs);
    other.delete('projects', 1);
    await rig.pull(theirs);
    expect(await rig.snapshot('bravo', 'P-1')).toBeNull();
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({ projectName: 'Tower', milestonesAtRisk: 0 });
    expect([await rig.events('acme'), (await rig.events('bravo')).map(({ event }) => event)]).toEqual([
      [],
      ['milestone.changed'],
    ]);
    expect(await rig.store.datasetSources.get(joined.id, 'bravo')).toBeNull();
    expect(await rig.store.datasetSources.remove(theirs.id, 'acme', BY(rig.clock))).toBe(false);
    await rig.store.datasetSources.remove(theirs.id, 'bravo', BY(rig.clock));
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({ milestonesTotal: 2 });
    expect(await rig.query(`select 1 from dataset_rows where tenant_code = 'bravo'`)).toEqual([]);
  });
});

describe('business events', () => {
  const told = async (name: string): Promise<object[]> =>
    (await rig.events()).filter(({ event }) => event === name);

  test('say null where the business system states nothing', async () => {
    const { joined, source } = await seeded();
    source.put('ncrs', 2, { project_id: 1, code: null, title: null, level: null, closed: false });
    const hazard = { title: null, level: null, site_ref: null, event_id: 77, occurred_at: null };
    source.put('hazards', 1, { project_id: 1, major: true, ...hazard });
    source.put('milestones', 1, milestone(2, { code: null, name: null }));
    source.put('projects', 1, { code: 'P-1', name: null, status: null, health_score: null });
    await rig.pull(joined);
    expect(await told('ncr.created')).toEqual([
      { event: 'ncr.created', project_id: 1, ncr_id: 2, code: null, title: null, level: null },
    ]);
    expect(await told('hazard.major')).toEqual([
      { event: 'hazard.major', project_id: 1, hazard_id: 1, ...hazard, event_id: null },
    ]);
    expect(await told('milestone.changed')).toEqual([expect.objectContaining({ code: null, name: null })]);
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({ projectName: null, status: null });
  });

  test('of a project that its source has deleted are not told, those of one that it never had are', async () => {
    const { joined, source } = await seeded();
    source.delete('projects', 2);
    const nonconformity = { code: 'N', title: 'x', level: 1, closed: false };
    source.put('ncrs', 2, { project_id: 2, ...nonconformity });
    source.put('ncrs', 3, { project_id: 99, ...nonconformity });
    await rig.pull(joined);
    expect(await told('ncr.created')).toEqual([expect.objectContaining({ ncr_id: 3 })]);
  });

  test('of a milestone go from its last status on, over none and over a deletion', async () => {
    const { joined, source } = await seeded();
    for (const status of [null, 2]) {
      source.put('milestones', 1, milestone(1, { status }));
      await rig.pull(joined);
    }
    source.delete('milestones', 1);
    await rig.pull(joined);
    source.put('milestones', 1, milestone(3));
    await rig.pull(joined);
    expect(await told('milestone.changed')).toEqual([
      expect.objectContaining({ status: 2, previous_status: 1 }),
      expect.objectContaining({ status: 3, previous_status: 2 }),
    ]);
  });

  test('tell of a late order that moves to another milestone at risk, of the same status', async () => {
    const { joined, source } = await seeded();
    source.put('purchase_orders', 400, order('2026-06-01'));
    source.put('milestones', 1, milestone(5));
    source.put('milestones', 2, milestone(5, { code: 'M2' }));
    await rig.pull(joined);
    source.put('purchase_orders', 400, order('2026-06-01', { milestone_id: 2 }));
    await rig.pull(joined);
    await rig.pull(joined);
    expect(await told('procurement.delay')).toEqual([
      expect.objectContaining({ milestone_id: 1, status: 5, caused_by_order: 400 }),
      expect.objectContaining({ milestone_id: 2, status: 5, caused_by_order: 400 }),
    ]);
  });

  test('have ids of 19 digits to the last digit, as numbers or as texts of the source', async () => {
    const { joined, source } = await seeded();
    const [project, other, order] = ['1795318754236123456', '9223372036854775807', '1795318754236123457'];
    source.spoil = (items) => items.map((row) => ({ ...row }));
    // The source writes its reference to the project as a number.
    source.answering = (response, body) =>
      void response.end(body.replaceAll(`"project_id":"${project}"`, `"project_id":${project}`));
    source.put('projects', project, { code: 'LONG', name: 'Long', status: 1, health_score: null });
    source.put('ncrs', other, { project_id: project, code: 'N', title: 'x', level: 1, closed: false });
    source.put('milestones', other, milestone(4, { project_id: project }));
    await rig.pull(joined);
    source.put('milestones', other, milestone(5, { project_id: project }));
    source.put('purchase_orders', order, {
      project_id: project,
      milestone_id: other,
      critical_path: true,
      required_on: '2026-05-01',
      expected_on: '2026-06-01',
      received: false,
    });
    expect((await rig.pull(joined)).lastError).toBeNull();
    expect(await rig.snapshot('acme', 'LONG')).toMatchObject({ milestonesAtRisk: 1, openNcr: 1 });
    const bodies = (await rig.query<{ body: string }>('select body from business_events')).map(
      ({ body }) => body,
    );
    expect(bodies.sort()).toEqual([
      expect.stringContaining(`"project_id":${project},"milestone_id":${other},"code":"M1"`),
      expect.stringContaining(`"project_id":${project},"ncr_id":${other},`),
      expect.stringMatching(`"milestone_id":${other},.*"caused_by_order":${order}}$`),
    ]);
    source.put('ncrs', '9223372036854775808', {
      project_id: 1,
      code: 'N',
      title: 'x',
      level: 1,
      closed: false,
    });
    expect((await rig.pull(joined)).lastError).toMatch(/pk 9223372036854775808 .* from 0 to 2\^63 - 1/);
  });

  test('are told for what changes after the first complete landing, once each', async () => {
    const { joined, source } = await seeded();
    expect(await rig.events()).toEqual([]);
    source.put('milestones', 1, milestone(2));
    source.put('ncrs', 2, { project_id: 1, code: 'N2', title: 'Crack', level: 3, closed: false });
    source.put('hazards', 1, {
      project_id: 1,
      title: 'Pit',
      level: 4,
      major: true,
      site_ref: 'pit',
      event_id: 7,
      occurred_at: '2026-03-01T08:00:00+08:00',
    });
    source.put('hazards', 2, {
      project_id: 1,
      title: 'Dust',
      level: 1,
      major: false,
      site_ref: null,
      event_id: null,
      occurred_at: null,
    });
    await rig.pull(joined);
    await rig.pull(joined);
    expect(await rig.events()).toEqual(
      expect.arrayContaining([
        {
          event: 'milestone.changed',
          project_id: 1,
          milestone_id: 1,
          code: 'M1',
          name: 'Roof',
          status: 2,
          status_text: 'in progress',
          previous_status: 1,
          changed_at: expect.stringMatching(/^2026-03-01T08:00:00\.\d{3}\+08:00$/) as string,
        },
        { event: 'ncr.created', project_id: 1, ncr_id: 2, code: 'N2', title: 'Crack', level: 3 },
        {
          event: 'hazard.major',
          project_id: 1,
          hazard_id: 1,
          title: 'Pit',
          level: 4,
          site_ref: 'pit',
          event_id: null,
          occurred_at: '2026-03-01T08:00:00.000+08:00',
        },
      ]),
    );
    expect(await rig.events()).toHaveLength(3);
    // Corrections that change nothing tell nothing; a hazard that becomes major does.
    source.put('milestones', 1, milestone(2, { name: 'The roof' }));
    source.put('ncrs', 2, { project_id: 1, code: 'N2', title: 'Crack', level: 4, closed: true });
    source.put('hazards', 2, {
      project_id: 1,
      title: 'Dust',
      level: 3,
      major: true,
      site_ref: null,
      event_id: null,
      occurred_at: null,
    });
    await rig.pull(joined);
    expect((await rig.events()).map(({ event }) => event).sort()).toEqual([
      'hazard.major',
      'hazard.major',
      'milestone.changed',
      'ncr.created',
    ]);
  });

  test(
    'a late order on the critical path is told when its milestone is at risk, whichever comes first, and ' +
      'again when it gets worse',
    async () => {
      const { joined, source } = await seeded();
      const delays = async () => (await rig.events()).filter(({ event }) => event === 'procurement.delay');
      source.put('purchase_orders', 1, order('2026-05-09'));
      await rig.pull(joined);
      expect(await delays()).toEqual([]);
      source.put('milestones', 1, milestone(4));
      await rig.pull(joined);
      expect(await delays()).toEqual([
        {
          event: 'procurement.delay',
          project_id: 1,
          milestone_id: 1,
          status: 4,
          status_text: 'warning',
          caused_by_order: 1,
        },
      ]);
      source.put('milestones', 1, milestone(5));
      source.put('purchase_orders', 2, order('2026-05-09', { critical_path: false }));
      source.put('purchase_orders', 3, order('2026-05-09', { received: true }));
      source.put('purchase_orders', 4, order('2026-05-01'));
      await rig.pull(joined);
      expect(await delays()).toHaveLength(2);
      source.put('milestones', 1, milestone(4));
      source.put('purchase_orders', 1, order('2026-05-10'));
      await rig.pull(joined);
      expect(await delays()).toHaveLength(2);
      source.put('purchase_orders', 4, order('2026-06-01'));
      await rig.pull(joined);
      expect(await delays()).toHaveLength(3);
    },
  );

  test('a recompute tells only what lies beyond the position before it', async () => {
    const { joined, source } = await seeded();
    source.put('milestones', 2, { project_id: 1, code: 'M2', name: 'Lift', status: 3 });
    await rig.store.datasetSources.request(joined.id, null, { recompute: 'all' }, BY(rig.clock));
    await rig.pull(joined);
    expect((await rig.events()).map(({ event }) => event)).toEqual(['milestone.changed']);
    expect(await rig.snapshot('acme', 'P-1')).toMatchObject({ planProgress: 53.33, milestonesTotal: 2 });
  });
});

test('a pull that is cut off between any page and its commit processes each row once', async () => {
  let cuts = 0;
  rig = await openPullRig({
    wrap: (port) =>
      replaced<PullPort>(port, {
        land: async (lease, batch, stamp) => {
          cuts += 1;
          // Before the transaction, and after it with its answer lost.
          if (cuts % 3 === 1) throw new Error('cut off before the commit');
          const landed = await port.land(lease, batch, stamp);
          if (cuts % 3 === 2) throw new Error('cut off after the commit');
          return landed;
        },
      }),
  });
  const source = await rig.source({ ncrs: MODEL_FIELDS.ncrs ?? {} });
  for (let pk = 1; pk <= 4; pk += 1)
    source.put('ncrs', pk, { project_id: 1, code: `N${pk}`, title: '', level: 1, closed: false });
  const joined = await rig.join(source, { pageRows: 2 });
  await untilDone(joined);
  for (let pk = 5; pk <= 12; pk += 1)
    source.put('ncrs', pk, { project_id: 1, code: `N${pk}`, title: '', level: 1, closed: false });
  await untilDone(joined);
  const told = (await rig.events()).map((event) => (event as { event: string; ncr_id?: number }).ncr_id);
  expect(told.sort((a = 0, b = 0) => a - b)).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  expect(await rig.state(joined, 'ncrs')).toMatchObject({ changedTotal: 12 });
});

async function untilDone(joined: Source): Promise<void> {
  for (let tries = 0; tries < 30; tries += 1) if ((await rig.pull(joined)).lastError === null) return;
  throw new Error('the pull never ends well');
}

test(
  'whatever happens in between, the hub ends equal to the source, and the figures to what they are ' +
    'computed from',
  async () => {
    rig = await openPullRig();
    const { projects = {}, wbs_nodes = {}, milestones = {}, ncrs = {} } = MODEL_FIELDS;
    const source = await rig.source({ projects, wbs_nodes, milestones, ncrs });
    const joined = await rig.join(source, { pageRows: 3, overlapMs: 1 });
    const id = fc.integer({ min: 1, max: 4 });
    const parent = fc.option(fc.integer({ min: 1, max: 6 }));
    const percent = fc.option(fc.integer({ min: 0, max: 100 }));
    const step = fc.oneof(
      fc.record({
        dataset: fc.constant('projects'),
        pk: id,
        fields: fc.record({
          code: fc.constantFrom('A', 'B'),
          name: fc.constant('n'),
          status: fc.constant(1),
          health_score: percent,
        }),
      }),
      fc.record({
        dataset: fc.constant('wbs_nodes'),
        pk: fc.integer({ min: 1, max: 8 }),
        fields: fc.record({
          project_id: fc.option(id),
          parent_id: parent,
          plan_progress: percent,
          actual_progress: percent,
        }),
      }),
      fc.record({
        dataset: fc.constant('milestones'),
        pk: id,
        fields: fc.record({
          project_id: fc.option(id),
          code: fc.constant('c'),
          name: fc.constant('n'),
          status: fc.option(fc.integer({ min: 1, max: 5 })),
        }),
      }),
      fc.record({
        dataset: fc.constant('ncrs'),
        pk: id,
        fields: fc.record({
          project_id: fc.option(id),
          code: fc.constant('c'),
          title: fc.constant('t'),
          level: fc.constant(1),
          closed: fc.boolean(),
        }),
      }),
      fc.record({
        dataset: fc.constantFrom('projects', 'wbs_nodes', 'milestones', 'ncrs'),
        pk: id,
        fields: fc.constant('delete' as const),
      }),
      fc.constantFrom('pull' as const, 'recompute' as const, 'break' as const),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        for (const one of steps) await take(source, joined, one);
        source.answering = (response, body) => void response.end(body);
        expect((await rig.pull(joined)).lastError).toBeNull();
        for (const dataset of Object.keys(source.fields)) {
          expect(await rig.landed(joined, dataset)).toEqual(
            source.live(dataset).sort((a, b) => Number(a.pk) - Number(b.pk)),
          );
        }
        expect(await figures()).toEqual(expected(source));
      }),
      { numRuns: RUNS, endOnFailure: true },
    );
  },
  120_000,
);

type Step =
  | 'pull'
  | 'recompute'
  | 'break'
  | { dataset: string; pk: number; fields: 'delete' | Record<string, string | number | boolean | null> };

async function take(source: DatasetSource, joined: Source, step: Step): Promise<void> {
  if (step === 'pull') await rig.pull(joined);
  else if (step === 'recompute')
    await rig.store.datasetSources.request(joined.id, null, { recompute: 'all' }, BY(rig.clock));
  else if (step === 'break')
    source.answering = (response, body, call) =>
      void (call % 4 === 0 ? response.destroy() : response.end(body));
  else if (step.fields === 'delete') source.delete(step.dataset, step.pk);
  else source.put(step.dataset, step.pk, step.fields);
}

const figures = () =>
  rig.query(
    'select project_id, plan_progress, actual_progress, milestones_total, milestones_at_risk, open_ncr ' +
      'from projects order by project_id',
  );

function expected(source: DatasetSource): object[] {
  const of = (dataset: string, project: WireRow) =>
    source.live(dataset).filter((row) => row.project_id === Number(project.pk));
  return source
    .live('projects')
    .sort((a, b) => Number(a.pk) - Number(b.pk))
    .map((project) => {
      const nodes = of('wbs_nodes', project);
      const leaves = nodes.filter((node) => !nodes.some((child) => child.parent_id === Number(node.pk)));
      const mean = (name: string): number | null => {
        const values = leaves.map((node) => node[name]).filter((value) => typeof value === 'number');
        return values.length === 0
          ? null
          : Number(
              (
                Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 100 + 1e-9) / 100
              ).toFixed(2),
            );
      };
      return {
        project_id: Number(project.pk),
        plan_progress: mean('plan_progress'),
        actual_progress: mean('actual_progress'),
        milestones_total: of('milestones', project).length,
        milestones_at_risk: of('milestones', project).filter(({ status }) => status === 4 || status === 5)
          .length,
        open_ncr: of('ncrs', project).filter(({ closed }) => closed === false).length,
      };
    });
}
