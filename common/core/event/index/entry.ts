/**
 * The index of events, behind lists and statistics: each event is in one group, by what lists filter and
 * statistics count, and at one place. What is decided about it is here; both stores keep the same tables and
 * carry it out.
 */
import type { EventGroup } from '../../stats/record.ts';
import type { VerdictValue } from '../../verdict/schema.ts';
import { factsOf, judgementOf } from '../facts.ts';
import type { DocFacts, Judged } from '../record.ts';
import type { EventKind, EventSource, Severity } from '../schema.ts';

/** The columns of an event that the index goes by. */
export interface IndexedColumns {
  id: number;
  tenant: string;
  type: string;
  kind: EventKind;
  source: EventSource;
  test: boolean;
  severity: Severity | null;
  /** Where it arose; null: at this store. */
  instance: string | null;
  /** Time of occurrence, epoch ms. */
  at: number | null;
}

/** An event as a store reads it for the index. */
export interface IndexedRow extends IndexedColumns {
  doc: string;
  verdict: VerdictValue | null;
  /** The newest correction of it. */
  correctedTo: VerdictValue | null;
  /** Machine judgement that came with the verdict, as JSON text. */
  judged: string | null;
}

export type GroupKey = readonly [
  tenant: string,
  type: string,
  kind: EventKind,
  source: EventSource,
  verdict: VerdictValue | null,
  correctedTo: VerdictValue | null,
  test: boolean,
  judged: boolean,
  judgedType: string | null,
  severity: Severity,
  instance: string | null,
];
export type PlaceKey = readonly [
  tenant: string,
  siteRef: string | null,
  cameraRef: string | null,
  instance: string | null,
];

/**
 * What the index keeps of an event. The group and the place are JSON texts of their keys. The instance is in
 * both: statistics count by it, and lists find the events of a site by its few places, where its groups are
 * many.
 */
export interface Entry {
  id: number;
  tenant: string;
  at: number | null;
  group: string;
  place: string;
}

/** An event with its verdict as it is now. Its `doc` is parsed once, which is most of the work. */
export function entryOf<R extends IndexedRow>(row: R): R & Entry {
  const facts = factsOf(row);
  return { ...row, ...textsOf(row, facts, groupOf(row, facts)) };
}

/** An event that has no verdict yet. @param facts of its `doc` */
export function newEntry(columns: IndexedColumns, facts: DocFacts): Entry {
  const { id, tenant, at } = columns;
  const { judged, judgedType } = facts;
  const severity = counted(columns.severity);
  const group = { ...columns, severity, verdict: null, correctedTo: null, judged, judgedType };
  return { id, tenant, at, ...textsOf(columns, facts, group) };
}

/** What an event is counted by. A judgement that came with the verdict goes before that of the event. */
export function groupOf(row: Omit<IndexedRow, 'id' | 'tenant' | 'at'>, known?: DocFacts): EventGroup {
  const { source, kind, type, verdict, correctedTo, test, instance } = row;
  const { judged, judgedType } =
    row.judged === null ? (known ?? factsOf(row)) : judgementOf(JSON.parse(row.judged) as Judged, null);
  const severity = counted(row.severity);
  return { source, kind, type, verdict, correctedTo, test, judged, judgedType, severity, instance };
}

/** As in lists and rules: an event without one counts as medium. */
const counted = (severity: Severity | null): Severity => severity ?? 'medium';

type Texts = Pick<Entry, 'group' | 'place'>;

function textsOf(columns: IndexedColumns, facts: DocFacts, group: EventGroup): Texts {
  const { tenant } = columns;
  const { type, kind, source, verdict, correctedTo, test, judged, judgedType, severity, instance } = group;
  const judgement = [verdict, correctedTo, test, judged, judgedType] as const;
  const key: GroupKey = [tenant, type, kind, source, ...judgement, severity, instance];
  const place: PlaceKey = [tenant, facts.siteRef, facts.cameraRef, instance];
  return { group: JSON.stringify(key), place: JSON.stringify(place) };
}
