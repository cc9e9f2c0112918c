// The tiles at the top of the page: one for each part of the site, green, yellow, red or grey.
import type { SiteFacts } from '../schema.ts';
import { element, put } from './element.ts';
import { bytes, clockTime, span } from './figure.ts';
import { language, say } from './language.ts';

type Tone = 'good' | 'look' | 'bad' | 'none';

interface Tile {
  tone: Tone;
  head: string;
  value: string;
  notes: (string | null)[];
  /** What is said to be wrong where it is not the head. */
  why?: string;
}

/** With fewer events the writes at rest outweigh theirs. */
const ENOUGH_EVENTS = 100;
const WORN_PERCENT = 90;

const colon = (): string => (language() === 'zh' ? '：' : ': ');
const earliest = (times: readonly (string | null)[]): string | undefined =>
  times.filter((time) => time !== null).sort()[0];

/** Shows the tiles. @returns what is not well, in the words of the tiles */
export function showTiles(facts: SiteFacts): string[] {
  const tiles = [
    storing(facts),
    headquarters(facts),
    waiting(facts),
    disk(facts),
    wear(facts),
    clock(facts),
    cameras(facts),
  ].filter((one) => one !== null);
  put(
    'tiles',
    ...tiles.map(({ tone, head, value, notes }) =>
      element(
        'div',
        { class: `tile ${tone}` },
        element('h3', {}, head),
        element('strong', {}, value),
        ...notes.filter(Boolean).map((text) => element('p', {}, text)),
      ),
    ),
  );
  return tiles.filter(({ tone }) => tone === 'look' || tone === 'bad').map(({ why, head }) => why ?? head);
}

function storing({ storing: { ok, reason, events }, integrity }: SiteFacts): Tile {
  const words = say();
  return {
    tone: ok && integrity.state !== 'damaged' ? 'good' : 'bad',
    head: words.storing,
    value: ok ? words.yes : reason === 'disk_full' ? words.full : words.failed,
    notes: [
      words.kept(events),
      reason === 'store_failed' ? words.seeLog : null,
      words.store + colon() + words[integrity.state],
    ],
  };
}

/** Why the last try failed, in the language of the page. */
function faultNote(channels: SiteFacts['uplink']['channels']): string | null {
  const failed = channels.find(({ lastError }) => lastError !== null);
  return (language() === 'zh' ? failed?.lastErrorZh : null) ?? failed?.lastError ?? null;
}

function headquarters({ now, uplink: { enabled, link, channels } }: SiteFacts): Tile {
  const words = say();
  if (!enabled) return { tone: 'none', head: words.link, value: words.off, notes: [words.give] };
  const since = (time: string): number => Date.parse(now) - Date.parse(time);
  const answered = channels
    .map(({ lastAckAt }) => lastAckAt)
    .filter((time) => time !== null)
    .sort()
    .at(-1);
  // After a start the link counts as down until it was tried.
  const known =
    link === 'up' || channels.some(({ consecutiveFailures }) => consecutiveFailures > 0) ? link : 'untried';
  const next = earliest(channels.map(({ nextAttemptAt }) => nextAttemptAt));
  return {
    tone: known === 'up' ? 'good' : known === 'untried' ? 'none' : 'look',
    head: words.link,
    value: words[known],
    notes: [
      answered ? `${words.heard} ${span(since(answered))}${words.ago}` : null,
      known === 'up' ? null : faultNote(channels),
      known === 'up' || !next ? null : words.next(span(-since(next))),
    ],
  };
}

function waiting({ now, uplink: { enabled, flows } }: SiteFacts): Tile | null {
  if (!enabled) return null;
  const words = say();
  const parked = flows.reduce((sum, flow) => sum + flow.parked, 0);
  return {
    tone: parked > 0 || flows.some(({ late }) => late) ? 'look' : 'good',
    head: words.waits,
    value: String(flows.reduce((sum, flow) => sum + flow.waiting, 0)),
    notes: [
      ...flows.map((flow) => flowNote(flow, now)),
      parked > 0 ? `${words.parked} ${parked}` : null,
      parked > 0 ? words.see : null,
    ],
    ...(parked > 0 ? { why: words.parkedHead } : {}),
  };
}

type Flow = SiteFacts['uplink']['flows'][number];

/** What waits of one thing, since when, and why beside the channels, whose fault stands with the link. */
function flowNote(
  { name, waiting: count, bytes: size, oldestAt, ...tries }: Flow,
  now: string,
): string | null {
  const words = say();
  const beside = name === 'evidence' || name === 'notifications' || name === 'orders';
  const fault = (language() === 'zh' ? tries.lastErrorZh : null) ?? tries.lastError;
  if (count === 0 && !(beside && fault)) return null;
  return [
    `${words.flows[name]} ${count}${size === null || count === 0 ? '' : ` (${bytes(size)})`}`,
    oldestAt ? `${words.oldest} ${span(Date.parse(now) - Date.parse(oldestAt))}` : null,
    beside ? fault : null,
  ]
    .filter(Boolean)
    .join(' · ');
}

function disk({ disk: { level, roomBytes, usedBytes, refused, shed }, uplink }: SiteFacts): Tile {
  const words = say();
  const gone = shed.evidence + shed.observations + shed.events;
  return {
    tone: ({ ok: 'good', short: 'look', full: 'bad' } as const)[level],
    head: words.disk,
    value: `${words.free} ${bytes(roomBytes)}`,
    notes: [
      `${words.used} ${bytes(usedBytes)}`,
      level === 'short' ? words.short + colon() + (uplink.enabled ? words.shedFirst : words.shedNone) : null,
      refused > 0 ? words.refusedCount(refused) : null,
      gone > 0 ? `${words.shed} ${gone}` : null,
    ],
  };
}

function wear({
  wear: { lifeUsedPercent, endOfLife, bytesPerEvent, bytesPerDay, syncsPerEvent, events },
}: SiteFacts): Tile {
  const words = say();
  const spare = endOfLife !== null && endOfLife !== 'normal';
  const each =
    bytesPerEvent === null
      ? null
      : events < ENOUGH_EVENTS
        ? words.few(events)
        : words.perEvent(bytes(bytesPerEvent), syncsPerEvent ?? '–');
  const daily = bytesPerDay === null ? null : words.perDay(bytes(bytesPerDay));
  const [first = words.noFigures, ...more] = [
    lifeUsedPercent === null ? null : `${words.life} ${lifeUsedPercent} %`,
    daily,
    each,
  ].filter((text) => text !== null);
  const worn = spare || (lifeUsedPercent !== null && lifeUsedPercent >= WORN_PERCENT);
  return {
    tone: worn ? 'look' : lifeUsedPercent === null ? 'none' : 'good',
    head: words.wear,
    value: first,
    notes: [...more, spare ? words.spare : null],
  };
}

function clock({ now, clock: { suspect, lastStep } }: SiteFacts): Tile {
  const words = say();
  const stepped = lastStep
    ? ` · ${words.stepped} ${lastStep.stepMs > 0 ? '+' : '−'}${span(Math.abs(lastStep.stepMs))}`
    : '';
  return {
    tone: suspect ? 'look' : 'good',
    head: words.clock,
    value: suspect ? words.clockBad : words.clockGood,
    notes: [clockTime(now) + stepped, suspect ? words.set : null],
  };
}

function cameras({ cameras: all }: SiteFacts): Tile {
  const words = say();
  if (all.length === 0)
    return { tone: 'none', head: words.cameras, value: '0', notes: [words.noCamera, words.add] };
  const silent = all.filter((camera) => camera.silent).length;
  const heard = all.every(({ lastEventAt }) => lastEventAt !== null) ? words.allHeard : words.noneSilent;
  return {
    tone: silent > 0 ? 'look' : 'good',
    head: words.cameras,
    value: String(all.length),
    notes: [silent > 0 ? `${words.silent} ${silent}` : heard],
  };
}
