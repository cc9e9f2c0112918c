// Whom a call is brought to, step after step, until somebody takes it or everybody was called often enough.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { begin, FLOOD, joins, next, ROUNDS, take, wants } from '../../hq/duty/call/decide.ts';
import type { CallSubject, CallWrites, DutyCall } from '../../hq/duty/call/record.ts';
import { type Person, STANDARD_CHOICE } from '../../hq/duty/person/record.ts';
import type { Rota } from '../../hq/duty/rota/record.ts';
import { runs } from '../support/campaign.ts';
import { TestClock } from '../support/clock.ts';

const NAMES = ['an', 'bo', 'chen', 'du', 'eva'];
const MINUTE = 60_000;

const subject: CallSubject = {
  ...{ kind: 'event', eventId: 1, alarmKey: null, instance: 'tunnel-7', tenantCode: 'acme' },
  ...{
    severity: 'critical',
    type: 'person.fall',
    title: null,
    titleZh: null,
    camera: 'c',
    place: null,
    at: 0,
  },
};
const personOf = (name: string, over: Partial<Person> = {}): Person => ({
  ...{ name, tenantCode: null, mayTake: true, devices: [`of ${name}`], consoleUrl: null },
  choice: { ...STANDARD_CHOICE, when: 'on_duty' },
  ...over,
});
const rotaOf = (people: string[], over: Partial<Rota> = {}): Rota => ({
  ...{
    id: 'r',
    tenantCode: 'acme',
    name: 'r',
    sites: null,
    siteGroups: [],
    from: 'high',
    alarms: 'critical',
    zone: 'UTC',
  },
  ...{ firstWeek: '2026-02-23', exceptions: [], nextAfterMinutes: 5, enabled: true },
  shifts: [{ days: [1, 2, 3, 4, 5, 6, 7], begin: '00:00', end: '00:00', people, weekly: false }],
  ...{ createdAt: 1, updatedAt: 1 },
  ...over,
});

const person = fc.record({
  reached: fc.boolean(),
  mayTake: fc.boolean(),
  tenantCode: fc.constantFrom(null, 'acme', 'beta'),
});
const scene = fc.record({
  order: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
  people: fc.tuple(person, person, person, person, person),
});

const peopleOf = (all: { reached: boolean; mayTake: boolean; tenantCode: string | null }[]): Person[] =>
  all.map(({ reached, mayTake, tenantCode }, index) => {
    const name = NAMES[index] ?? '';
    return personOf(name, { mayTake, tenantCode, devices: reached ? [`of ${name}`] : [] });
  });

/** Each step of a call that nobody takes. */
function ladder(rota: Rota, people: readonly Person[]): CallWrites[] {
  const clock = new TestClock();
  const stamp = () => ({ now: clock.now(), newId: () => clock.newId() });
  const first = begin(subject, { people, rotas: [rota], groupsOf: () => [] }, stamp());
  const steps = first ? [first] : [];
  for (let call = first?.call; call && steps.length < 100; call = steps.at(-1)?.call) {
    if (call.nextAt === null) break;
    clock.advance(call.nextAt - clock.now());
    steps.push(next(call, rota, people, stamp()));
  }
  return steps;
}

describe('a call that nobody takes', () => {
  test('goes round by round through those who may be called and can be reached, in order, and ends', () => {
    fc.assert(
      fc.property(scene, ({ order, people: all }) => {
        const people = peopleOf(all);
        const steps = ladder(rotaOf(order), people);
        const able = order.filter((name) => {
          const one = people.find((each) => each.name === name);
          return one?.mayTake && one.tenantCode !== 'beta' && one.devices.length > 0;
        });
        const called = steps.flatMap(({ sendings }) =>
          sendings.filter(({ state }) => state === 'pending').map(({ userName }) => userName),
        );
        expect(called).toEqual(Array.from({ length: ROUNDS }, () => able).flat());
        expect(steps.at(-1)?.call).toMatchObject({ state: 'unanswered', nextAt: null });
        expect(steps.at(-1)?.exhausted).toBe(true);
        // Who cannot be reached is noted once, and never waited for.
        const noted = steps.flatMap(({ sendings }) => sendings.filter(({ state }) => state === 'failed'));
        expect(new Set(noted.map(({ userName }) => userName)).size).toBe(noted.length);
        for (const { sendings, call } of steps.slice(0, -1))
          expect([sendings.filter(({ state }) => state === 'pending').length, call.state]).toEqual([
            1,
            'calling',
          ]);
      }),
      { numRuns: runs(200, 3000) },
    );
  });

  test('takes who is first, whatever the step; later ones learn who, and the devices that were called too', () => {
    fc.assert(
      fc.property(scene, fc.nat(20), fc.constantFrom(...NAMES), ({ order, people: all }, at, by) => {
        const steps = ladder(rotaOf(order), peopleOf(all));
        const { call } = steps[at % steps.length] ?? {};
        if (!call) return;
        const clock = new TestClock();
        const stamp = { now: clock.now(), newId: () => clock.newId() };
        const sent = steps
          .slice(0, (at % steps.length) + 1)
          .flatMap(({ sendings }) => sendings)
          .map((one) => (one.state === 'pending' ? { ...one, state: 'sent' as const } : one));
        const taken = take(call, sent, by, stamp);
        expect(taken).toMatchObject({ kind: 'taken', call: { state: 'taken', takenBy: by, nextAt: null } });
        const told = taken.kind === 'taken' ? taken.sendings.map(({ deviceId }) => deviceId) : [];
        const reached = sent.flatMap(({ deviceId, state }) => (state === 'sent' ? [deviceId] : []));
        expect(told).toEqual([...new Set(reached)]);
        expect(take(taken.call, sent, 'late', stamp)).toMatchObject({
          kind: 'before',
          call: { takenBy: by },
        });
      }),
      { numRuns: runs(100, 2000) },
    );
  });
});

test('where nobody is on duty everybody whom the rota names is called, and the gap is told', () => {
  const rota = rotaOf(['an', 'bo'], {
    exceptions: [{ from: '2026-01-01T00:00', to: '2027-01-01T00:00', away: null, instead: null }],
  });
  const [first] = ladder(rota, [personOf('an'), personOf('bo')]);
  expect(first).toMatchObject({ gap: true, call: { called: ['an'] } });
});

test('the same camera joins its call, a flood of a tenant the newest one, and nothing another tenant', () => {
  const call = (over: Partial<DutyCall>): DutyCall => ({
    ...subject,
    ...{ id: 'c', state: 'calling', rotaId: 'r', round: 0, called: [], nextAt: 1, events: 1, lastEventAt: 0 },
    ...{ takenBy: null, takenAt: null, createdAt: 0, ...over },
  });
  expect(joins([call({})], subject, MINUTE)?.id).toBe('c');
  expect(joins([call({})], subject, 11 * MINUTE)).toBeNull();
  expect(joins([call({ severity: 'high' })], subject, MINUTE)).toBeNull();
  expect(joins([call({ tenantCode: 'beta' })], subject, MINUTE)).toBeNull();
  const many = Array.from({ length: FLOOD }, (_, index) =>
    call({ id: `c${index}`, camera: `other ${index}`, createdAt: index }),
  );
  expect(joins(many, subject, MINUTE)?.id).toBe(`c${FLOOD - 1}`);
  expect(joins(many.slice(1), subject, MINUTE)).toBeNull();
});

test('what somebody chose holds, but for quiet hours where critical ones go through', () => {
  const quiet = { begin: '22:00', end: '06:00', zone: 'UTC', criticalThrough: true };
  const at = (hour: number) => Date.UTC(2026, 2, 1, hour);
  const chose = (over: Partial<Person['choice']>, more: Partial<Person> = {}) =>
    personOf('an', { choice: { ...STANDARD_CHOICE, ...over }, ...more });
  const high: CallSubject = { ...subject, severity: 'high' };
  expect(wants(chose({}), subject, at(12))).toBe(true);
  expect(wants(chose({ when: 'on_duty' }), subject, at(12))).toBe(false);
  expect(wants(chose({ quiet }), high, at(23))).toBe(false);
  expect(wants(chose({ quiet }), high, at(7))).toBe(true);
  expect(wants(chose({ quiet }), subject, at(23))).toBe(true);
  expect(wants(chose({ tenants: ['beta'] }), subject, at(12))).toBe(false);
  expect(wants(chose({ sites: ['tunnel-7'] }), subject, at(12))).toBe(true);
  expect(wants(chose({ sites: ['bridge-2'] }), subject, at(12))).toBe(false);
  expect(wants(chose({}, { tenantCode: 'beta' }), subject, at(12))).toBe(false);
  expect(wants(chose({}, { mayTake: false }), subject, at(12))).toBe(false);
  const alarm: CallSubject = { ...subject, kind: 'alarm', tenantCode: null };
  expect(wants(chose({}), alarm, at(12))).toBe(false);
  expect(wants(chose({ alarms: true }), alarm, at(12))).toBe(true);
  expect(wants(chose({ alarms: true }, { tenantCode: 'acme' }), alarm, at(12))).toBe(false);
});
