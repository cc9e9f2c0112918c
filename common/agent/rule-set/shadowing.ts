// Which rules can never be reached, because an earlier one takes all that they match. Pure.
import { severityRank } from '../../core/event/schema.ts';
import { BEIJING_OFFSET_MINUTES } from '../../time.ts';
import { inOrder } from './match.ts';
import type { ResponseRule } from './record.ts';

export interface Shadowed {
  name: string;
  version: number;
  /** The earlier rule. */
  by: { name: string; version: number };
}

const found = new WeakMap<readonly ResponseRule[], Shadowed[]>();

/** As `shadowedRules`, worked out once for a list that does not change. */
export function shadowedOf(rules: readonly ResponseRule[]): Shadowed[] {
  const known = found.get(rules) ?? shadowedRules(rules);
  found.set(rules, known);
  return known;
}

/**
 * Only what a single earlier rule covers is found; several that cover one together are not.
 * @param about names: only what one of these rules hides, or what hides one of them
 */
export function shadowedRules(rules: readonly ResponseRule[], about?: ReadonlySet<string>): Shadowed[] {
  const live = rules.filter(({ enabled }) => enabled).sort(inOrder);
  return live.flatMap((rule, index) => {
    const asked = !about || about.has(rule.name);
    const by = live
      .slice(0, index)
      .find((earlier) => (asked || about.has(earlier.name)) && shadows(earlier, rule));
    return by ? [{ name: rule.name, version: rule.version, by: { name: by.name, version: by.version } }] : [];
  });
}

/** Whether everything that `inner` matches is matched by `outer`. */
export function shadows(
  { match: outer }: Pick<ResponseRule, 'match'>,
  { match: inner }: Pick<ResponseRule, 'match'>,
): boolean {
  return (
    includesTypes(outer.event_types, inner.event_types) &&
    includesAll(outer.site_refs, inner.site_refs) &&
    includesAll(outer.camera_refs, inner.camera_refs) &&
    (!outer.min_severity ||
      (inner.min_severity !== undefined &&
        severityRank(inner.min_severity) >= severityRank(outer.min_severity))) &&
    includesHours(outer, inner)
  );
}

const includesAll = (outer: readonly string[] | undefined, inner: readonly string[] | undefined): boolean =>
  !outer || (inner?.every((one) => outer.includes(one)) ?? false);

function includesTypes(outer: readonly string[] | undefined, inner: readonly string[] | undefined): boolean {
  if (!outer) return true;
  return (
    inner?.every((pattern) =>
      outer.some((wide) => (wide.endsWith('*') ? pattern.startsWith(wide.slice(0, -1)) : wide === pattern)),
    ) ?? false
  );
}

const DAY = 1_440;

/** A window as minutes of the UTC day, around the clock: where it begins, and how many it has. */
function windowOf({ hours, tz_offset_min: offset = BEIJING_OFFSET_MINUTES }: ResponseRule['match']): {
  first: number;
  length: number;
} {
  if (!hours) return { first: 0, length: DAY };
  const [from, to] = hours.map((hour) => Math.ceil(hour * 60)) as [number, number];
  return { first: from - offset, length: to - from + (hours[0] < hours[1] ? 0 : DAY) };
}

function includesHours(outer: ResponseRule['match'], inner: ResponseRule['match']): boolean {
  const [wide, narrow] = [windowOf(outer), windowOf(inner)];
  const behind = (((narrow.first - wide.first) % DAY) + DAY) % DAY;
  return wide.length === DAY || behind + narrow.length <= wide.length;
}
