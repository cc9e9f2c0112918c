// Pure: who is on duty at a moment, and until when.
import type { Exception, Rota, Shift, Span } from './record.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const DAY_MINUTES = 1_440;
/** No zone changes its offset but at a quarter of an hour. */
const QUARTER_MS = 15 * MINUTE_MS;

/** What a rota says of who is on duty. */
export type Pattern = Pick<Rota, 'zone' | 'firstWeek' | 'shifts' | 'exceptions'>;

/** What the clock on the wall shows. */
interface WallTime {
  /** As YYYY-MM-DD. */
  date: string;
  /** As HH:MM. */
  time: string;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** How far the clock of the zone is ahead of UTC at that moment, ms. */
function offsetOf(zone: string, at: number): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formats.set(zone, format);
  }
  const part = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000;
}

function wallOf(at: number, offset: number): WallTime {
  const text = new Date(at + offset).toISOString();
  return { date: text.slice(0, 10), time: text.slice(11, 16) };
}

const dayNumber = (date: string): number => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);
/** 1 is Monday; 1 January 1970 was a Thursday. */
const weekdayOf = (day: number): number => ((((day + 3) % 7) + 7) % 7) + 1;

/** The number of the day on which the shift began that is under way; null: none is. */
function beganOn({ days, begin, end }: Shift, { date, time }: WallTime): number | null {
  const today = dayNumber(date);
  const overnight = end <= begin;
  if (time >= begin && (overnight || time < end) && days.includes(weekdayOf(today))) return today;
  if (overnight && time < end && days.includes(weekdayOf(today - 1))) return today - 1;
  return null;
}

/** In the order of the week in which the shift began. */
function orderOf({ people, weekly }: Shift, began: number, firstWeek: string): string[] {
  if (!weekly || people.length === 0) return people;
  const weeks = Math.floor((began - dayNumber(firstWeek)) / 7);
  const first = ((weeks % people.length) + people.length) % people.length;
  return [...people.slice(first), ...people.slice(0, first)];
}

function applied(people: readonly string[], { away, instead }: Exception): string[] {
  const others = people.filter((name) => name !== instead);
  if (away === null) return instead === null ? [] : [instead, ...others];
  if (!people.includes(away)) return [...people];
  return others.flatMap((name) => (name !== away ? [name] : instead === null ? [] : [instead]));
}

function calledAt({ firstWeek, shifts, exceptions }: Pattern, wall: WallTime): string[] {
  const found = shifts.flatMap((shift) => {
    const began = beganOn(shift, wall);
    return began === null ? [] : orderOf(shift, began, firstWeek);
  });
  const now = `${wall.date}T${wall.time}`;
  return exceptions.filter(({ from, to }) => now >= from && now < to).reduce(applied, [...new Set(found)]);
}

/** Who is called at that moment, in order; nobody where there is a gap. */
export const onDutyAt = (pattern: Pattern, at: number): string[] =>
  calledAt(pattern, wallOf(at, offsetOf(pattern.zone, at)));

/** Minutes of the day at which somebody may come or go. */
function turnsOf({ shifts, exceptions }: Pattern): Set<number> {
  const times = [
    ...shifts.flatMap(({ begin, end }) => [begin, end]),
    ...exceptions.flatMap(({ from, to }) => [from.slice(11), to.slice(11)]),
  ];
  return new Set([0, ...times.map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)))]);
}

/** Who is called from one moment to another, whole minutes each, without anything left out between. */
export function spansOf(pattern: Pattern, from: number, to: number): Span[] {
  const spans: Span[] = [];
  let offset = 0;
  let known = -1;
  const turns = turnsOf(pattern);
  const begin = Math.floor(from / MINUTE_MS) * MINUTE_MS;
  for (let at = begin; at < to; at += MINUTE_MS) {
    const quarter = Math.floor(at / QUARTER_MS);
    const fresh = quarter !== known;
    if (fresh) {
      known = quarter;
      offset = offsetOf(pattern.zone, at);
    }
    const last = spans.at(-1);
    if (last && !fresh && !turns.has(Math.floor((at + offset) / MINUTE_MS) % DAY_MINUTES)) {
      last.to = at + MINUTE_MS;
      continue;
    }
    const people = calledAt(pattern, wallOf(at, offset));
    if (last && last.people.join('\n') === people.join('\n')) last.to = at + MINUTE_MS;
    else spans.push({ from: at, to: at + MINUTE_MS, people });
  }
  return spans;
}

export const gapsIn = (spans: readonly Span[]): Span[] => spans.filter(({ people }) => people.length === 0);

/** Everybody whom the rota names, in its order: whom to call where nobody is on duty. */
export const everybodyIn = ({ shifts, exceptions }: Pattern): string[] => [
  ...new Set([
    ...shifts.flatMap(({ people }) => people),
    ...exceptions.flatMap(({ instead }) => (instead === null ? [] : [instead])),
  ]),
];

const isForAll = ({ sites, siteGroups }: Rota): boolean => sites === null && siteGroups.length === 0;

/** Whose alarm it is that a rota is looked for. */
export interface Place {
  tenantCode: string | null;
  /** Name of the site; null: headquarters. */
  instance: string | null;
  /** Those that the site is in. */
  groups: readonly string[];
}

/**
 * The rota that an alarm goes by: one of its tenant that names its site, then one that names a group which
 * the site is in, then one of its tenant for every site, then one of the operators likewise. Of several the
 * oldest.
 * @param takes whether the rota is for an alarm as grave as this one
 */
export function rotaFor(rotas: readonly Rota[], place: Place, takes: (rota: Rota) => boolean): Rota | null {
  const able = rotas
    .filter((rota) => rota.enabled && takes(rota))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const owners = place.tenantCode === null ? [''] : [place.tenantCode, ''];
  for (const owner of owners) {
    const own = able.filter(({ tenantCode }) => tenantCode === owner);
    const named = own.find(({ sites }) => place.instance !== null && sites?.includes(place.instance));
    const grouped = own.find(({ siteGroups }) => siteGroups.some((name) => place.groups.includes(name)));
    const chosen = named ?? grouped ?? own.find(isForAll);
    if (chosen) return chosen;
  }
  return null;
}
