// Recorded events against a draft of rules, without a store: the clock is that of the events. Pure.
import { admitEvent } from '../../core/event/intake.ts';
import type { EventRecord } from '../../core/event/record.ts';
import type { Fault } from '../../http/error.ts';
import { parseTime } from '../../time.ts';
import { cameraOf } from '../act/decide.ts';
import { shadowedRules, type Shadowed } from './cover.ts';
import { explain, type Explanation } from './explain.ts';
import { emptyTenant, load, type BadRule } from './load.ts';
import { agentEventOf } from './record.ts';

export interface Rehearsed extends Explanation {
  /** Line of the recording, from 1. */
  line: number;
  at: number;
  tenantCode: string;
  type: string;
  /** Within the cooldown of this earlier line: the task is made, marked suppressed, and nobody is notified. */
  suppressedBy: number | null;
}

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
 * @param draft registrations as they would be posted; versions are counted from 1
 * @param recorded events as cameras post them, one a line, with `tenant_code`; `received_at` may say when one came
 */
export function rehearse(draft: readonly unknown[], recorded: readonly unknown[]): Rehearsal {
  const loaded = load(draft.map(asRecord), [], null);
  const faults: Rehearsal['faults'] = [];
  const events = recorded.flatMap((value, index) => {
    const read = asEvent(value, index + 1);
    if ('faults' in read) faults.push(read);
    return 'faults' in read ? [] : [read];
  }).sort((a, b) => a.event.receivedAt - b.event.receivedAt || a.line - b.line);
  const cooldowns = new Map<string, { until: number; line: number }>();
  const rehearsed = events.map(({ line, event }) => {
    const explained = explain(loaded.tenants.get(event.tenantCode) ?? emptyTenant, agentEventOf(event));
    const { choice } = explained;
    const key = JSON.stringify([event.tenantCode, cameraOf(event), event.type, choice.ruleName, event.isTest]);
    const cooling = choice.kind === 'notify' && choice.cooldownS > 0 && !choice.judgedBelow;
    const standing = cooling ? cooldowns.get(key) : undefined;
    const suppressedBy = standing && event.receivedAt < standing.until ? standing.line : null;
    if (cooling && suppressedBy === null) cooldowns.set(key, { until: event.receivedAt + choice.cooldownS * 1000, line });
    return { ...explained, line, at: event.receivedAt, tenantCode: event.tenantCode, type: event.type, suppressedBy };
  });
  const used = new Set(rehearsed.map(({ tenantCode, choice }) => JSON.stringify([tenantCode, choice.ruleName])));
  const all = [...loaded.tenants].flatMap(([tenantCode, { rules }]) => rules.map(({ name }) => ({ tenantCode, name })));
  return {
    events: rehearsed, faults, badRules: loaded.badRules,
    shadowed: [...loaded.tenants].flatMap(([tenantCode, { rules }]) => shadowedRules(rules).map((one) => ({ tenantCode, ...one }))),
    unused: all.filter(({ tenantCode, name }) => !used.has(JSON.stringify([tenantCode, name]))),
  };
}

/** A registration, or a rule as the interface lists it. */
function asRecord(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { tenant_code, ...rest } = value as { tenant_code?: unknown };
  return { version: 1, ...(tenant_code === undefined ? {} : { tenantCode: tenant_code }), ...rest };
}

function asEvent(value: unknown, line: number): { line: number; event: EventRecord } | { line: number; faults: Fault[] } {
  const { received_at: receivedText, ...input } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const admitted = admitEvent({ idempotency_key: `line ${line}`, ...input }, { keyId: 'rehearsal', tenantCode: null });
  if (!admitted.ok) return { line, faults: admitted.faults };
  const receivedAt = typeof receivedText === 'string' ? parseTime(receivedText) : admitted.event.occurredAt;
  if (receivedAt === null) return { line, faults: [{ path: 'received_at', message: 'or occurred_at must be a time with a zone: the clock of the rehearsal is that of the events' }] };
  return { line, event: { ...admitted.event, id: line, receivedAt, instance: null, originId: null, originReceivedAt: null, verdict: null, correctedTo: null } };
}
