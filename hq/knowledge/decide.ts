// What may become of a knowledge object (spec 3, "Revise rules"). Pure.
import type { Stamp } from '../../common/clock.ts';
import type { AuditEntry } from '../../common/core/audit/port.ts';
import { rankOf } from '../../common/policy/level.ts';
import { formatTime } from '../../common/time.ts';
import type {
  KnowledgeRecord,
  KnowledgeRevision,
  KnowledgeSection,
  ReviseKnowledge,
  ReviseOutcome,
  StoreKnowledge,
  StoreOutcome,
} from './record.ts';

export interface Decided<O> {
  outcome: O;
  writes: { knowledge: KnowledgeRecord; revision: KnowledgeRevision; audit: AuditEntry } | null;
}

/** @param seen `known`: the object that has the key already; `maxRank`: of the account's clearance */
export function decideStoreKnowledge(
  seen: { id: number; known: KnowledgeRecord | null; original: KnowledgeRevision | null; maxRank: number },
  command: StoreKnowledge,
  stamp: Stamp,
): Decided<StoreOutcome> {
  const { actor, account: _account, ...facts } = command;
  if (seen.known) {
    if (rankOf(seen.known.securityLevel) > seen.maxRank) return { outcome: { kind: 'hidden' }, writes: null };
    const first = { ...seen.known, body: seen.original?.body ?? seen.known.body };
    return {
      outcome: {
        kind: 'known',
        knowledge: seen.known,
        same: contentOf(first) === contentOf({ ...first, ...facts }),
      },
      writes: null,
    };
  }
  const knowledge: KnowledgeRecord = {
    ...facts,
    id: seen.id,
    version: 1,
    createdAt: stamp.now,
    updatedAt: stamp.now,
  };
  const revision: KnowledgeRevision = {
    version: 1,
    body: knowledge.body,
    changed: [],
    by: facts.createdBy,
    note: null,
    at: stamp.now,
  };
  return {
    outcome: { kind: 'stored', knowledge },
    writes: { knowledge, revision, audit: auditOf(stamp, actor, 'knowledge.stored', null, knowledge) },
  };
}

function contentOf({
  title,
  kind,
  sourceRef,
  securityLevel,
  validUntil,
  body,
  machineGenerated,
}: KnowledgeRecord): string {
  return JSON.stringify([title, kind, sourceRef, securityLevel, validUntil, body, machineGenerated]);
}

/** All sections or none; those that are equal to what is there are no changes. */
export function decideRevise(
  seen: { known: KnowledgeRecord | null; maxRank: number },
  command: ReviseKnowledge,
  stamp: Stamp,
): Decided<ReviseOutcome> {
  const { known } = seen;
  if (!known || rankOf(known.securityLevel) > seen.maxRank)
    return { outcome: { kind: 'none' }, writes: null };
  if (command.expectedVersion !== null && command.expectedVersion !== known.version)
    return { outcome: { kind: 'stale', knowledge: known }, writes: null };
  const present = new Map(Object.entries(known.body.sections));
  const wanted = Object.entries(command.sections);
  const illegal = wanted
    .filter(([name]) => present.get(name)?.editable !== 'human')
    .map(([name]) => ({ name, exists: present.has(name) }));
  if (illegal.length > 0) return { outcome: { kind: 'not_editable', sections: illegal }, writes: null };
  const changed = wanted.filter(([name, text]) => present.get(name)?.text !== text);
  if (changed.length === 0) return { outcome: { kind: 'unchanged', knowledge: known }, writes: null };

  const at = Math.max(known.updatedAt, stamp.now);
  const marks = { revisedBy: command.by, revisedAt: formatTime(at) };
  for (const [name, text] of changed)
    present.set(name, { ...(present.get(name) as KnowledgeSection), text, ...marks });
  const names = changed.map(([name]) => name);
  const knowledge: KnowledgeRecord = {
    ...known,
    body: { ...known.body, sections: Object.fromEntries(present) },
    version: known.version + 1,
    updatedAt: at,
  };
  const revision: KnowledgeRevision = {
    version: knowledge.version,
    body: knowledge.body,
    changed: names,
    by: command.by,
    note: command.note,
    at,
  };
  return {
    outcome: { kind: 'revised', knowledge, changed: names },
    writes: {
      knowledge,
      revision,
      audit: auditOf(stamp, command.actor, 'knowledge.revised', known, knowledge),
    },
  };
}

/**
 * The whole row before and after, under no tenant: a customer who may read its tenant's audit would read and
 * count there what is above its clearance.
 */
const auditOf = (
  stamp: Stamp,
  actor: string,
  action: string,
  before: KnowledgeRecord | null,
  after: KnowledgeRecord,
): AuditEntry => ({
  id: stamp.newId(),
  at: stamp.now,
  actor,
  action,
  subject: `knowledge:${after.id}`,
  tenantCode: null,
  before,
  after,
});

/** Longest text of a reference that lists search by, characters; longer ones are kept and not searchable. */
const MAX_REF = 512;

/**
 * Top-level members of a source reference as lists search them: single values, and each element of an array,
 * as text.
 */
export function refsOf(sourceRef: Readonly<Record<string, unknown>>): string[] {
  const refs = Object.entries(sourceRef).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
      isScalar(one) ? [refOf(key, String(one))] : [],
    ),
  );
  return [...new Set(refs)].filter((ref) => ref.length <= MAX_REF);
}

/** The length of the key keeps `a=b` with the value `c` apart from `a` with the value `b=c`. */
export const refOf = (key: string, value: string): string => `${key.length}:${key}=${value}`;

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);

/** The event that an object is about, by which timelines find it; null for none. */
export function eventOf(sourceRef: Readonly<Record<string, unknown>>): number | null {
  const id = Number(sourceRef.event_id ?? sourceRef.eventId ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
