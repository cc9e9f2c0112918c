// Random sequences of commands. Few tenants, keys, ids and names, so that commands meet.
import fc from 'fast-check';
import type { RaiseAlarm } from '../../common/core/alarm/port.ts';
import type { NewEvent } from '../../common/core/event/record.ts';
import { severities } from '../../common/core/event/schema.ts';
import type { KeyRecord } from '../../common/core/key/port.ts';
import type { SubscriptionFilters } from '../../common/core/subscription/port.ts';
import type { WriteCorrection, WriteVerdict } from '../../common/core/verdict/record.ts';
import { verdictValues } from '../../common/core/verdict/schema.ts';
import type { KeyPurpose } from '../../common/http/access.ts';
import { HOUR, SECOND } from '../support/clock.ts';
import { alarm, correctionOn, docOf, filters, keyRecord, newEvent, siteEvent, verdictOn } from './samples.ts';

export type Command =
  | { op: 'ingest'; batch: NewEvent[] }
  | { op: 'verdict'; command: WriteVerdict }
  /** Called at once; the earlier call comes first. */
  | { op: 'verdicts'; commands: WriteVerdict[] }
  | { op: 'correct'; command: WriteCorrection }
  /** `start` is brought below the head when it is carried out. */
  | { op: 'register'; consumer: string; filters: SubscriptionFilters; start: number | null }
  | { op: 'ack'; consumer: string; cursor: number }
  | { op: 'addKey'; key: KeyRecord }
  | { op: 'rotateKey'; keyId: string; secretRef: string; previousUntil: number }
  | { op: 'removeKey'; keyId: string }
  | { op: 'raise'; alarm: RaiseAlarm }
  | { op: 'clear'; key: string; instance: string }
  | { op: 'claim'; leaseMs: number }
  /** `row` counts through the feedback rows in the order of `feedbackKey`. */
  | { op: 'delivered'; row: number }
  | { op: 'failed'; row: number; delayMs: number | null }
  | { op: 'clock'; ms: number }
  | { op: 'restart' };

export const TENANTS = ['acme', 'other'] as const;
export const TYPES = ['vehicle.intrusion', 'person.fall'] as const;
export const EVENT_KEYS = ['k1', 'k2', 'k3', 'k4', 'k5', 'é'] as const;
export const CONSUMERS = ['c-1', 'c-2'] as const;
export const KEY_IDS = ['key-1', 'key-2', 'key-3'] as const;
export const PURPOSES: readonly KeyPurpose[] = ['node', 'site', 'consumer'];
/** Ids of events that a sequence may name; not all are there. */
export const MAX_EVENT = 12;

const tenant = fc.constantFrom(...TENANTS);
const maybeTenant = fc.option(tenant, { nil: null, freq: 3 });
const eventId = fc.integer({ min: 1, max: MAX_EVENT });
const decisionId = fc.option(fc.constantFrom('d-1', 'd-2', 'd-3'), { nil: null, freq: 2 });
const DOCS = [
  docOf({ title: 'one' }),
  docOf({ title: 'two', feedbackUrl: 'http://10.0.0.9/a', localAlertNo: 'A-1' }),
];

const event = fc
  .record({
    tenantCode: tenant,
    key: fc.constantFrom(...EVENT_KEYS),
    type: fc.constantFrom(...TYPES),
    severity: fc.option(fc.constantFrom(...severities), { nil: null }),
    isTest: fc.boolean(),
    doc: fc.constantFrom(...DOCS),
    fromSite: fc.nat(7).map((n) => n === 0),
  })
  .map(({ key, fromSite, ...over }) => (fromSite ? siteEvent(key, over) : newEvent(key, over)));

const judgement = fc
  .record({
    verdict: fc.constantFrom(...verdictValues),
    into: eventId,
    by: fc.constantFrom('li', 'wu'),
    tenantCode: maybeTenant,
    decisionId,
    target: fc.option(
      fc.record({
        key: fc.constantFrom('elsewhere', 'no longer kept'),
        instance: fc.constantFrom(null, 'site-9'),
      }),
      { nil: null },
    ),
  })
  .map(({ into, target, ...rest }) => ({
    ...rest,
    mergedInto: rest.verdict === 'merged' ? into : null,
    target,
  }));

const verdictCommand = fc
  .record({ eventId, judgement, note: fc.option(fc.constantFrom('rain', '影子'), { nil: null }) })
  .map((given): WriteVerdict => verdictOn(given.eventId, { ...given.judgement, note: given.note }));
const verdict = verdictCommand.map((command): Command => ({ op: 'verdict', command }));
const verdicts = fc
  .array(verdictCommand, { minLength: 2, maxLength: 12 })
  .map((commands): Command => ({ op: 'verdicts', commands }));

const correction = fc.record({ eventId, judgement, n: fc.nat(2) }).map((given): Command => {
  const id = `c-${given.eventId}-${given.n}`;
  return {
    op: 'correct',
    command: correctionOn(given.eventId, id, { ...given.judgement, note: `note ${id}` }),
  };
});

const register = fc
  .record({
    consumer: fc.constantFrom(...CONSUMERS),
    start: fc.option(fc.nat(MAX_EVENT), { nil: null }),
    filters: fc
      .record({
        tenantCode: maybeTenant,
        eventTypes: fc.option(fc.constantFrom<string[]>(['a.*'], ['b', 'c']), { nil: null }),
        enabled: fc.boolean(),
      })
      .map((over) => filters(over)),
  })
  .map((given): Command => ({ op: 'register', ...given }));

const raised = fc
  .record({
    key: fc.constantFrom('disk', 'clock'),
    instance: fc.constantFrom('site-1', 'site-2'),
    tenantCode: maybeTenant,
    severity: fc.constantFrom('warning', 'critical'),
    details: fc.constantFrom(undefined, { free: 1 }, [1, null]),
  })
  .map(({ key, details, ...over }): Command => ({
    op: 'raise',
    alarm: alarm(key, details === undefined ? over : { ...over, details }),
  }));

const weighted: [number, fc.Arbitrary<Command>][] = [
  [6, fc.array(event, { maxLength: 5 }).map((batch): Command => ({ op: 'ingest', batch }))],
  [6, verdict],
  [3, verdicts],
  [5, correction],
  [2, register],
  [
    3,
    fc.record({
      op: fc.constant('ack' as const),
      consumer: fc.constantFrom(...CONSUMERS, 'nobody'),
      cursor: fc.nat(MAX_EVENT + 2),
    }),
  ],
  [
    2,
    fc
      .record({
        keyId: fc.constantFrom(...KEY_IDS),
        purpose: fc.constantFrom(...PURPOSES),
        tenantCode: maybeTenant,
      })
      .map(({ keyId, ...over }): Command => ({ op: 'addKey', key: keyRecord(keyId, over) })),
  ],
  [
    2,
    fc.record({
      op: fc.constant('rotateKey' as const),
      keyId: fc.constantFrom(...KEY_IDS),
      secretRef: fc.constantFrom('env:A', 'env:B'),
      previousUntil: fc.nat(),
    }),
  ],
  [1, fc.record({ op: fc.constant('removeKey' as const), keyId: fc.constantFrom(...KEY_IDS) })],
  [2, raised],
  [
    2,
    fc.record({
      op: fc.constant('clear' as const),
      key: fc.constantFrom('disk', 'clock'),
      instance: fc.constantFrom('site-1', 'site-2'),
    }),
  ],
  [2, fc.record({ op: fc.constant('claim' as const), leaseMs: fc.constantFrom(30 * SECOND, HOUR) })],
  [2, fc.record({ op: fc.constant('delivered' as const), row: fc.nat(20) })],
  [
    3,
    fc.record({
      op: fc.constant('failed' as const),
      row: fc.nat(20),
      delayMs: fc.option(fc.constantFrom(0, SECOND, HOUR), { nil: null, freq: 4 }),
    }),
  ],
  [
    4,
    fc.record({
      op: fc.constant('clock' as const),
      ms: fc.constantFrom(1, SECOND, 30 * SECOND, HOUR, -1, -SECOND, -HOUR),
    }),
  ],
  [1, fc.constant({ op: 'restart' })],
];

/** Begins with events, so that what follows has something to work on. */
export const sequences: fc.Arbitrary<Command[]> = fc
  .tuple(
    fc.array(event, { maxLength: 10 }).map((batch): Command => ({ op: 'ingest', batch })),
    fc.array(fc.oneof(...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
      maxLength: 60,
      size: 'max',
    }),
  )
  .map(([first, rest]) => [first, ...rest]);
