// Which rules can never be reached, because an earlier one takes all that they match. Pure.
import { severityRank } from '../../core/event/schema.ts';
import { BEIJING_OFFSET_MINUTES } from '../../time.ts';
import { inOrder, withinHours } from './match.ts';
import type { ResponseRule } from './record.ts';

export interface Shadowed {
  name: string;
  version: number;
  /** The earlier rule. */
  by: { name: string; version: number };
}

/** Only what a single earlier rule covers is found; several that cover one together are not. */
export function shadowedRules(rules: readonly ResponseRule[]): Shadowed[] {
  const live = rules.filter(({ enabled }) => enabled).sort(inOrder);
  return live.flatMap((rule, index) => {
    const by = live.slice(0, index).find((earlier) => covers(earlier, rule));
    return by ? [{ name: rule.name, version: rule.version, by: { name: by.name, version: by.version } }] : [];
  });
}

/** Whether everything that `inner` matches is matched by `outer`. */
export function covers({ match: outer }: Pick<ResponseRule, 'match'>, { match: inner }: Pick<ResponseRule, 'match'>): boolean {
  return coversTypes(outer.event_types, inner.event_types) && coversAll(outer.site_refs, inner.site_refs) && coversAll(outer.camera_refs, inner.camera_refs) &&
    (!outer.min_severity || (inner.min_severity !== undefined && severityRank(inner.min_severity) >= severityRank(outer.min_severity))) && coversHours(outer, inner);
}

const coversAll = (outer: readonly string[] | undefined, inner: readonly string[] | undefined): boolean =>
  !outer || (inner?.every((one) => outer.includes(one)) ?? false);

function coversTypes(outer: readonly string[] | undefined, inner: readonly string[] | undefined): boolean {
  if (!outer) return true;
  return inner?.every((pattern) => outer.some((wide) => (wide.endsWith('*') ? pattern.startsWith(wide.slice(0, -1)) : wide === pattern))) ?? false;
}

const MINUTES = Array.from({ length: 1_440 }, (_, minute) => minute * 60_000);

function coversHours(outer: ResponseRule['match'], inner: ResponseRule['match']): boolean {
  const [wide, narrow] = [outer, inner].map(({ hours, tz_offset_min: offset = BEIJING_OFFSET_MINUTES }) =>
    (at: number) => hours === undefined || withinHours(hours, offset, at)) as [(at: number) => boolean, (at: number) => boolean];
  return MINUTES.every((at) => !narrow(at) || wide(at));
}
