// Recorded events against a draft of rules, without a store: the clock is that of the events. Pure.
import { admitEvent } from '../../core/event/intake.ts';
import type { EventRecord } from '../../core/event/record.ts';
import { type Fault, type FaultMessage, faultOf } from '../../http/fault/fault.ts';
import { parseTime } from '../../time.ts';
import { Cooldowns } from './cooldowns.ts';
import { explain, type Explanation } from './explain.ts';
import { type BadRule, emptyTenant, type LoadedRules, loadRules } from './load.ts';
import { faultAt } from './rule-set-fault-messages.ts';
import { type Shadowed, shadowedRules } from './shadowing.ts';

export interface Rehearsed extends Explanation {
  /** Line of the recording, from 1. */
  line: number;
  at: number;
  tenantCode: string;
  type: string;
  /**
   * Within the cooldown of this earlier line: the task is made, marked suppressed, and nobody is notified.
   */
  suppressedBy: number | null;
}

/** What a line of the recording held, or why it could not be read. Lines count from 1. */
export type RecordedLine = { line: number; value: unknown } | { line: number; fault: FaultMessage };

export interface Rehearsal {
  events: Rehearsed[];
  /** Lines that are no events. */
  faults: { line: number; faults: Fault[] }[];
  badRules: readonly BadRule[];
  shadowed: ({ tenantCode: string } & Shadowed)[];
  /** Rules that no event of the recording fell under. */
  unused: { tenantCode: string; name: string }[];
}

/**
 * @param draft registrations as they would be posted, or rules as the interface lists them; of one name the
 *   last counts, and a threshold registration keeps what it leaves out, as in a store
 * @param recorded events as cameras post them with `tenant_code`, by line; `received_at` may say when one
 *   came
 */
export function rehearse(draft: readonly unknown[], recorded: readonly RecordedLine[]): Rehearsal {
  const loaded = loadRules(inForce(draft), [], null);
  const { events, faults } = readRecording(recorded);
  const rehearsed = play(events, loaded.tenants);
  const used = new Set(rehearsed.map(({ tenantCode, choice }) => nameIn(tenantCode, choice.ruleName)));
  const all = [...loaded.tenants].flatMap(([tenantCode, { rules }]) =>
    rules.map(({ name }) => ({ tenantCode, name })),
  );
  return {
    events: rehearsed,
    faults,
    badRules: loaded.badRules,
    shadowed: [...loaded.tenants].flatMap(([tenantCode, { rules }]) =>
      shadowedRules(rules).map((one) => ({ tenantCode, ...one })),
    ),
    unused: all.filter(({ tenantCode, name }) => !used.has(nameIn(tenantCode, name))),
  };
}

const nameIn = (tenantCode: string, ruleName: string | null): string =>
  JSON.stringify([tenantCode, ruleName]);

interface RecordedEvent {
  line: number;
  event: EventRecord;
}

/** The events in the order in which they came, and the lines that hold none. */
function readRecording(recorded: readonly RecordedLine[]): {
  events: RecordedEvent[];
  faults: Rehearsal['faults'];
} {
  const faults: Rehearsal['faults'] = [];
  const events = recorded.flatMap((one) => {
    const read =
      'fault' in one ? { line: one.line, faults: [faultOf('', one.fault)] } : asEvent(one.value, one.line);
    if ('faults' in read) faults.push(read);
    return 'faults' in read ? [] : [read];
  });
  events.sort((a, b) => a.event.receivedAt - b.event.receivedAt || a.line - b.line);
  return { events, faults };
}

/** What the agent would do to each event, the cooldowns of the earlier ones counted. */
function play(events: readonly RecordedEvent[], tenants: LoadedRules['tenants']): Rehearsed[] {
  const cooldowns = new Cooldowns();
  return events.map(({ line, event }) => {
    const explained = explain(tenants.get(event.tenantCode) ?? emptyTenant, event);
    return {
      ...explained,
      line,
      at: event.receivedAt,
      tenantCode: event.tenantCode,
      type: event.type,
      // The id of a recorded event is its line.
      suppressedBy: cooldowns.suppressedBy(event, explained, event.receivedAt),
    };
  });
}

type Draft = Record<string, unknown>;

function inForce(draft: readonly unknown[]): unknown[] {
  const newest = new Map<unknown, unknown>();
  for (const value of draft) {
    // Kept as it is: the check of the rules names it as bad.
    if (typeof value !== 'object' || value === null) newest.set(Symbol(), value);
    else {
      const { tenant_code: tenantCode, ...rest } = value as Draft;
      const rule: Draft = { ...(tenantCode === undefined ? {} : { tenantCode }), ...rest };
      const key = JSON.stringify([rule.tenantCode, rule.kind, rule.name]);
      newest.set(key, after(newest.get(key) as Draft | undefined, rule));
    }
  }
  return [...newest.values()];
}

function after(prior: Draft | undefined, rule: Draft): Draft {
  const body =
    rule.kind === 'threshold' && isObject(prior?.body) && isObject(rule.body)
      ? { ...prior.body, ...rule.body }
      : rule.body;
  return { version: typeof prior?.version === 'number' ? prior.version + 1 : 1, ...rule, body };
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function asEvent(value: unknown, line: number): RecordedEvent | { line: number; faults: Fault[] } {
  const { received_at: receivedText, ...input } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, unknown>;
  const admitted = admitEvent(
    { idempotency_key: `line ${line}`, ...input },
    { keyId: 'rehearsal', tenantCode: null },
  );
  if (!admitted.ok) return { line, faults: admitted.faults };
  const receivedAt = typeof receivedText === 'string' ? parseTime(receivedText) : admitted.event.occurredAt;
  if (receivedAt === null)
    return {
      line,
      faults: [faultAt('received_at', 'zoned_event_time')],
    };
  return {
    line,
    event: {
      ...admitted.event,
      id: line,
      receivedAt,
      instance: null,
      originId: null,
      originReceivedAt: null,
      verdict: null,
      correctedTo: null,
    },
  };
}
