// Rollouts in waves, decided without any store: who is told when, and what pauses them.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  aborted,
  decided,
  isFailed,
  mayFail,
  resumed,
  type SiteFact,
} from '../../hq/fleet/rollout/decide.ts';
import { CAUTION, planned, wavesOf } from '../../hq/fleet/rollout/plan.ts';
import type { Caution, FailedWay, Rollout, SiteStep } from '../../hq/fleet/rollout/record.ts';

const MINUTE = 60_000;
const STANDARD = ['1', '5%', '25%', '100%'];

test.each([
  [STANDARD, 1_000, [1, 49, 200, 750]],
  [STANDARD, 3, [1, 2]],
  [STANDARD, 1, [1]],
  [STANDARD, 0, []],
  [['10'], 25, [10, 15]],
  [['50%', '10', '100%'], 20, [10, 10]],
  [['30'], 20, [20]],
])('waves %j of %i sites are %j', (shares, total, sizes) => {
  expect(wavesOf(shares, total)).toEqual(sizes);
});

test('those that are named come first, then by name what was heard, what was not, and what is too old', () => {
  const site = (instance: string, more: object = {}) => ({
    ...{ instance, version: '1.0.0', features: ['upgrade'], lastSeenAt: 1_000_000, ...more },
  });
  const sites = [
    site('z'),
    site('old', { features: [] }),
    site('never', { version: null, features: null, lastSeenAt: null }),
    site('newer', { version: '1.10.0' }),
    site('same', { version: '1.2.0' }),
    site('b'),
    site('named', { features: [] }),
  ];
  const plan = planned(sites, { version: '1.2.0', first: ['named'], shares: ['1', '100%'] }, 1_000_000);
  expect(plan.sites.map(({ instance, wave, step }) => [instance, wave, step])).toEqual([
    ['named', 0, 'planned'],
    ['b', 1, 'planned'],
    ['z', 1, 'planned'],
    ['never', 1, 'planned'],
    ['old', 1, 'planned'],
    ['newer', 1, 'already'],
    ['same', 1, 'already'],
  ]);
});

const rolloutOf = (waves: number, caution: Caution): Rollout => ({
  ...{ id: 'r', boundTo: null, version: '2.0.0', hours: { from: 0, until: 0 }, caution, waves },
  ...{ document: { manifest: '', key: '', signature: '' }, target: { all: true, group: null, sites: null } },
  ...{ state: 'running', wave: 0, waveAt: 0, throughAt: null, reason: null },
  ...{ startedBy: 'a', startedAt: 0, changedBy: 'a', changedAt: 0 },
});

const fact = (wave: number, step: SiteStep, more: Partial<SiteFact> = {}): SiteFact => ({
  ...{ instance: 's', wave, step, excused: false, version: '1.0.0', features: ['upgrade'] },
  ...{ lastSeenAt: 0, there: true, told: step === 'planned' ? null : { step: null }, ...more },
});

const at = (now: number, hearing = 1e12) => ({ now, hearing });

test.each<[string, SiteStep, Partial<SiteFact>, number, SiteStep]>([
  ['too old', 'waiting', { features: [] }, 0, 'unable'],
  ['able after all', 'unable', { features: ['upgrade'] }, 0, 'waiting'],
  ['removed', 'fetching', { there: false }, 0, 'gone'],
  ['removed when it had it', 'installed', { there: false }, 0, 'installed'],
  ['back, told before', 'gone', { told: { step: 'fetched' } }, 0, 'fetched'],
  ['back, not told', 'gone', { told: null }, 0, 'planned'],
  ['upgraded by hand', 'waiting', { version: '2.0.0' }, 0, 'already'],
  ['refused what it runs', 'refused', { version: '2.0.1' }, 0, 'already'],
  ['installs, and is not heard', 'installing', {}, 31 * MINUTE, 'silent'],
  ['installs, heard lately', 'installing', { lastSeenAt: 5 * MINUTE }, 31 * MINUTE, 'installing'],
  ['heard again', 'silent', { lastSeenAt: 31 * MINUTE }, 32 * MINUTE, 'installing'],
])('a site that is %s: %s', (_, step, more, now, wanted) => {
  // Paused, so that nothing is told anew.
  const rollout: Rollout = { ...rolloutOf(1, CAUTION), state: 'paused' };
  const one = fact(0, step, more);
  expect(decided(rollout, [one], at(now)).steps.get('s') ?? step).toBe(wanted);
});

test('silence of headquarters itself is none of a site', () => {
  const { steps, set } = decided(rolloutOf(1, CAUTION), [fact(0, 'installing')], at(60 * MINUTE, MINUTE));
  expect([steps.size, set.state]).toEqual([0, undefined]);
});

test('a wave of which little is left does not wait for ever', () => {
  const sites = Array.from({ length: 20 }, (_, n) =>
    fact(0, n === 0 ? 'waiting' : 'installed', { instance: `s${n}` }),
  );
  const next = fact(1, 'planned', { instance: 'next' });
  const rollout = rolloutOf(2, CAUTION);
  expect(decided(rollout, [...sites, next], at(23 * 60 * MINUTE)).set.throughAt).toBe(null);
  const day = 24 * 60 * MINUTE;
  expect(decided(rollout, [...sites, next], at(day)).set.throughAt).toBe(day);
  const settled = { ...rollout, throughAt: day };
  expect(decided(settled, [...sites, next], at(day + 60 * MINUTE)).direct).toEqual(['next']);
});

/** One thing that happens to sites: the next that a told one says, or what a person does. */
type Happening =
  | { kind: 'tell'; site: number; good: boolean }
  | { kind: 'pass'; minutes: number }
  | { kind: 'resume'; failed: FailedWay }
  | { kind: 'round' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('tell'), site: fc.nat(40), good: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('pass'), minutes: fc.integer({ min: 1, max: 90 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('resume'),
      failed: fc.constantFrom<FailedWay>('as_they_are', 'leave_out', 'again'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('round') }) },
) as fc.Arbitrary<Happening>;

const NEXT: Partial<Record<SiteStep, SiteStep>> = {
  ...{ waiting: 'fetching', fetching: 'fetched', fetched: 'installing', stopping: 'stopped' },
};

test('each site is told once, only in its wave, and nothing is told while it is paused', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.constantFrom(STANDARD, ['2', '50%'], ['100%']),
      fc.array(happening, { minLength: 20, maxLength: 200 }),
      (total, shares, happenings) => {
        const caution = { ...CAUTION, failPercent: 20, restPercent: 0 };
        const names = Array.from({ length: total }, (_, n) => `s${String(n).padStart(2, '0')}`);
        const plan = planned(
          names.map((instance) => ({ instance, version: '1.0.0', features: ['upgrade'], lastSeenAt: 0 })),
          { version: '2.0.0', first: [], shares },
          0,
        );
        expect(plan.sites.map(({ instance }) => instance).toSorted()).toEqual(names);
        const sites = plan.sites.map(({ instance, wave }) => fact(wave, 'planned', { instance }));
        const sizes = wavesOf(shares, total);
        const tellable = new Map(names.map((name) => [name, 1]));
        let rollout = rolloutOf(plan.waves, caution);
        let now = 0;
        const apply = (steps: ReadonlyMap<string, SiteStep>): void => {
          for (const site of sites) site.step = steps.get(site.instance) ?? site.step;
        };
        const round = (): void => {
          const before = rollout.state;
          const told = decided(rollout, sites, at(now));
          if (before !== 'running' || told.set.state === 'paused') expect(told.direct).toEqual([]);
          for (const instance of told.direct) {
            const left = (tellable.get(instance) ?? 0) - 1;
            expect(left, `${instance} is told once`).toBe(0);
            tellable.set(instance, left);
          }
          apply(told.steps);
          for (const site of sites)
            if (told.direct.includes(site.instance)) Object.assign(site, { told: { step: null } });
          rollout = { ...rollout, ...told.set };
          const begun = sites.filter(({ step }) => step !== 'planned');
          expect(begun.every(({ wave }) => wave <= rollout.wave)).toBe(true);
          expect(begun.length).toBeLessThanOrEqual(
            sizes.slice(0, rollout.wave + 1).reduce((sum, size) => sum + size, 0),
          );
          if (rollout.state === 'running')
            for (let wave = 0; wave <= rollout.wave; wave += 1) {
              const own = sites.filter((site) => site.wave === wave);
              const failed = own.filter(({ step, excused }) => isFailed(step) && !excused);
              expect(failed.length).toBeLessThanOrEqual(mayFail(wave, own.length, caution));
            }
        };
        for (const what of happenings) {
          if (what.kind === 'pass') now += what.minutes * MINUTE;
          else if (what.kind === 'round') round();
          else if (what.kind === 'tell') {
            const site = sites[what.site % total];
            if (!site) continue;
            const next =
              site.step === 'installing' ? (what.good ? 'installed' : 'taken_back') : NEXT[site.step];
            if (next === 'installed') site.version = '2.0.0';
            Object.assign(site, { step: next ?? site.step, lastSeenAt: now });
          } else if (rollout.state === 'paused') {
            const { steps, excused } = resumed(sites, what.failed);
            for (const [instance, step] of steps) if (step === 'planned') tellable.set(instance, 1);
            apply(steps);
            for (const site of sites)
              site.excused =
                site.step === 'planned' ? false : site.excused || excused.includes(site.instance);
            rollout = { ...rollout, state: 'running', throughAt: null, reason: null };
          }
        }
        // What a person aborts is told to nobody more.
        const { stop } = aborted(sites);
        expect(stop.every((instance) => tellable.get(instance) === 0)).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
});
