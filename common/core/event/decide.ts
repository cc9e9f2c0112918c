import { isDeepStrictEqual } from 'node:util';
import { eventKey, type IngestResult, type OwnedElsewhere, type VisibleTo } from './port.ts';
import type { EventDoc, EventOrigin, EventRecord, NewEvent } from './record.ts';
import { severities, type Severity, severityRank } from './schema.ts';

export interface IngestPlan {
  /** Events to store, in batch order; the store numbers them from its counter. */
  fresh: NewEvent[];
  /** Results in batch order, once the id of the first fresh event is known. */
  results(firstId: number): IngestResult[];
}

/** One that retention has deleted, of which only the key is known, and at headquarters where it arose. */
export interface Forgotten {
  id: number;
  forgotten: true;
  /** `instance` null: at this store. */
  origin?: Omit<EventOrigin, 'instance'> & { instance: string | null };
}

export type PriorEvent = EventRecord | Forgotten;

/**
 * Which events of a batch are new (DESIGN.md, "Intake"). A key that is known,
 * or that came earlier in the batch, is a duplicate of the first.
 * @param prior by `eventKey`
 */
export function planIngest(batch: readonly NewEvent[], prior: ReadonlyMap<string, PriorEvent>): IngestPlan {
  const fresh: NewEvent[] = [];
  const freshIndex = new Map<string, number>();
  const steps: ({ at: number; first: NewEvent } | { stored: PriorEvent } | null)[] = [];
  for (const event of batch) {
    const key = eventKey(event.tenantCode, event.idempotencyKey);
    const stored = prior.get(key);
    const earlier = freshIndex.get(key);
    if (stored) steps.push({ stored });
    else if (earlier !== undefined) steps.push({ at: earlier, first: fresh[earlier] as NewEvent });
    else {
      freshIndex.set(key, fresh.length);
      fresh.push(event);
      steps.push(null);
    }
  }
  return { fresh, results: (firstId) => resultsOf(batch, steps, firstId) };
}

function resultsOf(
  batch: readonly NewEvent[],
  steps: readonly ({ at: number; first: NewEvent } | { stored: PriorEvent } | null)[],
  firstId: number,
): IngestResult[] {
  let next = firstId;
  return batch.map((event, index) => {
    const step = steps[index];
    if (!step) return { id: next++, duplicate: false, conflicting: false };
    return 'stored' in step
      ? duplicateOf(event, step.stored, step.stored.id)
      : duplicateOf(event, step.first, firstId + step.at);
  });
}

function duplicateOf(event: NewEvent, held: PriorEvent | NewEvent, id: number): IngestResult {
  const same = 'forgotten' in held || sameContent(held, event);
  const elsewhere = heldElsewhere(originOf(held), event, same);
  return {
    id,
    duplicate: true,
    conflicting: !same || (elsewhere !== null && !elsewhere.same),
    ...(elsewhere ? { elsewhere } : {}),
  };
}

/**
 * null: not known. `instance` null: at this store; an event of it that has no row yet has neither id nor
 * receipt time.
 */
function originOf(
  held: PriorEvent | NewEvent,
): { instance: string | null; originId?: number; receivedAt?: number } | null {
  if ('forgotten' in held) return held.origin ?? null;
  if (!('id' in held)) return held.origin ?? { instance: null };
  return {
    instance: held.instance,
    originId: held.originId ?? held.id,
    receivedAt: held.originReceivedAt ?? held.receivedAt,
  };
}

function heldElsewhere(
  held: ReturnType<typeof originOf>,
  { origin }: NewEvent,
  sameContent: boolean,
): OwnedElsewhere | null {
  if (held === null || held.instance === (origin?.instance ?? null)) return null;
  const sameRow =
    origin !== undefined && held.originId === origin.originId && held.receivedAt === origin.receivedAt;
  return { instance: held.instance, sameContent, same: sameRow && sameContent };
}

type Content = Pick<NewEvent, 'type' | 'kind' | 'source' | 'severity' | 'occurredAt' | 'isTest' | 'doc'>;

function sameContent(a: Content, b: Content): boolean {
  return (
    a.type === b.type &&
    a.kind === b.kind &&
    a.source === b.source &&
    a.severity === b.severity &&
    a.occurredAt === b.occurredAt &&
    a.isTest === b.isTest &&
    (a.doc === b.doc || isDeepStrictEqual(contentOf(a.doc), contentOf(b.doc)))
  );
}

/** What its sender wrote, without the mark of the clock at receipt. */
function contentOf(doc: string): unknown {
  const { clockSuspect: _, ...content } = JSON.parse(doc) as EventDoc;
  return content;
}

/** An exact type, or a beginning with a trailing `*` (spec 3, Match). */
export function typeMatches(pattern: string, type: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : pattern === type;
}

export interface ConsumerFilter {
  tenantCode: string | null;
  eventTypes: readonly string[] | null;
  minSeverity: Severity | null;
}

/** What a consumer is to see (spec 2, "Pull rules"), as the stores are asked for it. */
export function visibleTo(
  { tenantCode, eventTypes, minSeverity }: ConsumerFilter,
  includeTest: boolean,
): VisibleTo {
  const least = minSeverity;
  return {
    tenantCode,
    eventTypes,
    severities: least === null ? null : severities.filter((one) => severityRank(one) >= severityRank(least)),
    includeTest,
  };
}

/** Whether a subscription's consumer is to see an event, as the stores choose them. */
export function consumerSees(
  filter: ConsumerFilter,
  event: Pick<EventRecord, 'tenantCode' | 'isTest' | 'severity' | 'type'>,
  includeTest: boolean,
): boolean {
  const { tenantCode, eventTypes, severities: wanted } = visibleTo(filter, includeTest);
  if (tenantCode !== null && tenantCode !== event.tenantCode) return false;
  if (event.isTest && !includeTest) return false;
  if (wanted !== null && !wanted.includes(event.severity ?? 'medium')) return false;
  return eventTypes === null || eventTypes.some((pattern) => typeMatches(pattern, event.type));
}
