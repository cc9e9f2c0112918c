// The tiles at the top of the page: one for each part of the site, green, yellow, red or grey.
import type { SiteFacts } from '../schema.ts';
import { diskButton } from './actions.ts';
import { element, put } from './element.ts';
import { bytes, clockTime, span } from './figure.ts';
import { language, say } from './language.ts';

type Tone = 'good' | 'look' | 'bad' | 'none';

interface Tile {
  tone: Tone;
  head: string;
  value: string;
  notes: (string | null)[];
  /** What a person can do about it. */
  act?: HTMLElement | null;
  /** Names the fault in the line above the tiles, where that is not the head. */
  why?: string;
}

/** With fewer events than this no writes per event are told: those of a site at rest outweigh them. */
const ENOUGH_EVENTS = 100;
const WORN_PERCENT = 90;

const colon = (): string => (language() === 'zh' ? '：' : ': ');
const earliest = (times: readonly (string | null)[]): string | undefined =>
  times.filter((time) => time !== null).sort()[0];

/** Shows the tiles. @returns what is not well, in the phrases of the tiles */
export function showTiles(facts: SiteFacts, done: () => void): string[] {
  const tiles = [
    storing(facts),
    headquarters(facts),
    waiting(facts),
    { ...disk(facts), act: diskButton(facts, done) },
    wear(facts),
    clock(facts),
    cameras(facts),
  ].filter((one) => one !== null);
  put(
    'tiles',
    ...tiles.map(({ tone, head, value, notes, act }: Tile) =>
      element(
        'div',
        { class: `tile ${tone}` },
        element('h3', {}, head),
        element('strong', {}, value),
        ...notes.filter(Boolean).map((text) => element('p', {}, text)),
        act,
      ),
    ),
  );
  return tiles.filter(({ tone }) => tone === 'look' || tone === 'bad').map(({ why, head }) => why ?? head);
}

function storing({ storing: { ok, reason, events }, integrity, unplannedEnds }: SiteFacts): Tile {
  const w = say();
  return {
    tone: ok && integrity.state !== 'damaged' ? 'good' : 'bad',
    head: w('storing'),
    value: ok ? w('yes') : reason === 'disk_full' ? w('full') : w('failed'),
    notes: [
      w('kept', { n: events }),
      reason === 'store_failed' ? w('seeLog') : null,
      w('store') + colon() + w(integrity.state),
      unplannedEnds.count > 0 ? endsNote(unplannedEnds) : null,
      unplannedEnds.stalls.count > 0 ? stallsNote(unplannedEnds) : null,
    ],
  };
}

const stallsNote = ({
  days,
  stalls: { count, longestSeconds: seconds },
}: SiteFacts['unplannedEnds']): string => say()('stalls', { count, days, seconds });

function endsNote({ count, days, hangs }: SiteFacts['unplannedEnds']): string {
  const w = say();
  return w('ends', { count, days }) + (hangs > 0 ? w('hangs', { count: hangs }) : '');
}

/** Why the last try failed, in the language of the page. */
function faultNote(channels: SiteFacts['uplink']['channels']): string | null {
  const failed = channels.find(({ lastErrorCode: code }) => code !== null);
  return (language() === 'zh' ? failed?.lastErrorZh : null) ?? failed?.lastError ?? null;
}

function headquarters({ now, uplink: { enabled, link, channels } }: SiteFacts): Tile {
  const w = say();
  if (!enabled) return { tone: 'none', head: w('link'), value: w('off'), notes: [w('give')] };
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
    head: w('link'),
    value: w(known),
    notes: [
      answered ? `${w('heard')} ${span(since(answered))}${w('ago')}` : null,
      known === 'up' ? null : faultNote(channels),
      known === 'up' || !next ? null : w('next', { after: span(-since(next)) }),
    ],
  };
}

function waiting({ now, uplink: { enabled, link, flows } }: SiteFacts): Tile | null {
  if (!enabled) return null;
  const w = say();
  const parked = flows.reduce((sum, flow) => sum + flow.parked, 0);
  return {
    tone: parked > 0 || flows.some(({ late }) => late) ? 'look' : 'good',
    head: w('waits'),
    value: String(flows.reduce((sum, flow) => sum + flow.waiting, 0)),
    notes: [
      ...flows.map((flow) => flowNote(flow, now, link === 'up')),
      parked > 0 ? `${w('parked')} ${parked}` : null,
      parked > 0 ? w('see') : null,
    ],
    ...(parked > 0 ? { why: w('parkedHead') } : {}),
  };
}

type Flow = SiteFacts['uplink']['flows'][number];

/**
 * What waits of one thing, since when, and why; the fault of a link that is down, and of a channel, stands
 * with the link.
 */
function flowNote(
  { name, waiting: count, bytes: size, oldestAt, ...tries }: Flow,
  now: string,
  up: boolean,
): string | null {
  const w = say();
  const beside = up && ['evidence', 'notifications', 'orders'].includes(name);
  const fault = (language() === 'zh' ? tries.lastErrorZh : null) ?? tries.lastError;
  if (count === 0 && !(beside && fault)) return null;
  return [
    `${w(`flows_${name}`)} ${count}${size === null || count === 0 ? '' : ` (${bytes(size)})`}`,
    oldestAt ? `${w('oldest')} ${span(Date.parse(now) - Date.parse(oldestAt))}` : null,
    beside ? fault : null,
  ]
    .filter(Boolean)
    .join(' · ');
}

function disk({ disk: { level, roomBytes, usedBytes, refused, shed, guardSince }, uplink }: SiteFacts): Tile {
  const w = say();
  const gone = shed.evidence + shed.observations + shed.events;
  return {
    tone: ({ ok: 'good', short: 'look', full: 'bad' } as const)[level],
    head: w('disk'),
    value: `${w('free')} ${bytes(roomBytes)}`,
    notes: [
      `${w('used')} ${bytes(usedBytes)}`,
      guardSince === null ? null : w('guarded'),
      level === 'short' ? w('short') + colon() + (uplink.enabled ? w('shedFirst') : w('shedNone')) : null,
      refused > 0 ? w('refusedCount', { n: refused }) : null,
      gone > 0 ? `${w('shed')} ${gone}` : null,
      shed.lost > 0 ? w('lostFiles', { count: shed.lost }) : null,
    ],
  };
}

function wear({ wear: { lifeUsedPercent, endOfLife, bytesPerEvent, bytesPerDay, events } }: SiteFacts): Tile {
  const w = say();
  const spare = endOfLife !== null && endOfLife !== 'normal';
  const each =
    bytesPerEvent === null || events < ENOUGH_EVENTS ? null : w('perEvent', { b: bytes(bytesPerEvent) });
  const daily = bytesPerDay === null ? w('noRate') : w('perDay', { b: bytes(bytesPerDay) });
  const worn = spare || (lifeUsedPercent !== null && lifeUsedPercent >= WORN_PERCENT);
  return {
    tone: worn ? 'look' : lifeUsedPercent === null ? 'none' : 'good',
    head: w('wear'),
    value: lifeUsedPercent === null ? w('noLife') : w('life', { p: lifeUsedPercent }),
    notes: [lifeUsedPercent === null ? w('noLifeWhy') : null, daily, each, spare ? w('spare') : null],
  };
}

function clock({ now, clock: { suspect, lastStep } }: SiteFacts): Tile {
  const w = say();
  const stepped = lastStep
    ? ` · ${w('stepped')} ${lastStep.stepMs > 0 ? '+' : '−'}${span(Math.abs(lastStep.stepMs))}`
    : '';
  return {
    tone: suspect ? 'look' : 'good',
    head: w('clock'),
    value: suspect ? w('clockBad') : w('clockGood'),
    notes: [clockTime(now) + stepped, suspect ? w('set') : null],
  };
}

function cameras({ cameras: all }: SiteFacts): Tile {
  const w = say();
  if (all.length === 0)
    return {
      tone: 'none',
      head: w('cameras'),
      value: '0',
      notes: [w('noCamera'), w('add')],
    };
  const silent = all.filter((camera) => camera.silent && camera.refused === null).length;
  const refused = all.filter((camera) => camera.refused !== null).length;
  const heard = all.every(({ lastEventAt }) => lastEventAt !== null) ? w('allHeard') : w('noneSilent');
  return {
    tone: silent + refused > 0 ? 'look' : 'good',
    head: w('cameras'),
    value: String(all.length),
    notes: [
      refused > 0 ? `${w('turnedAway')} ${refused}` : null,
      silent > 0 ? `${w('silent')} ${silent}` : null,
      silent + refused > 0 ? null : heard,
    ],
  };
}
