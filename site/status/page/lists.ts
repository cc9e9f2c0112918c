// What stands below the tiles: alarms, the last events, the cameras.
import type { EventView } from '../../../common/core/event/render.ts';
import type { SiteFacts } from '../schema.ts';
import { alarmButton } from './actions.ts';
import { button } from './dialog.ts';
import { breakable, element, note, put, table } from './element.ts';
import { showEvent } from './event.ts';
import { clockTime, dayOf, span, timeOf } from './figure.ts';
import { language, say } from './language.ts';
import { typeName } from './type-names.ts';

export function showAlarms({ alarms }: SiteFacts, done: () => void): void {
  if (alarms.length === 0) return put('alarms', note(say()('noAlarm')));
  put(
    'alarms',
    ...alarms.map(({ key, severity, message, messageZh, raisedAt }) => {
      // An alarm of a code that only another version knows has no Chinese text.
      const text = (language() === 'zh' ? messageZh : null) ?? message;
      return element(
        'div',
        { class: `alarm ${severity === 'critical' ? 'bad' : 'look'}` },
        element('p', {}, text),
        note(`${key} · ${clockTime(raisedAt)}`),
        element('div', { class: 'acts' }, alarmButton(key, text, done)),
      );
    }),
  );
}

export function showEvents(events: readonly EventView[]): void {
  const w = say();
  if (events.length === 0) return put('events', note(w('noEvent')));
  put(
    'events',
    table([[w('time')], [w('what')], [w('camera'), 'wide'], [w('verdict')]], events.map(eventRow)),
  );
}

const TONES = { confirmed: 'bad', false_alarm: 'good', merged: 'none' } as const;

function eventRow(event: EventView): HTMLElement {
  const w = say();
  const verdict = event.correctedTo ?? event.verdict;
  const at = new Date(event.occurredAt ?? event.receivedAt);
  const camera = event.cameraName || event.cameraRef || '';
  const below = [
    ...(event.title ? breakable(typeName(event)) : []),
    event.title && event.isTest ? ' · ' : null,
    event.isTest ? w('test') : null,
  ].filter(Boolean);
  return element(
    'tr',
    {},
    element(
      'td',
      { class: 'time' },
      dayOf(at) ? element('span', { class: 'day' }, dayOf(at)) : null,
      timeOf(at),
    ),
    element(
      'td',
      {},
      openEvent(event),
      below.length > 0 ? element('div', { class: 'quiet' }, ...below) : null,
      camera ? element('div', { class: 'quiet narrow' }, camera) : null,
    ),
    element('td', { class: 'wide' }, camera),
    element(
      'td',
      {},
      element('span', { class: `badge ${verdict ? TONES[verdict] : 'look'}` }, w(verdict ?? 'open')),
    ),
  );
}

function openEvent(event: EventView): HTMLElement {
  const made = button('', () => showEvent(event), `event ${event.id}`, 'plain');
  made.append(
    ...(event.title ? [event.title] : breakable(typeName(event))).filter(
      (part) => part !== null && part !== undefined,
    ),
  );
  return made;
}

/** How it stands with a camera that the site connects to. */
function connectionOf(connection: SiteFacts['cameras'][number]['connection']): HTMLElement | null {
  if (connection === null) return null;
  const { condition, reason, reasonZh } = connection;
  const away = reason !== null;
  const text = (language() === 'zh' ? reasonZh : null) ?? reason;
  return element(
    'div',
    { class: 'quiet' },
    element('span', { class: `badge ${away ? 'look' : 'good'}` }, say()(`conditions_${condition}`)),
    away ? ` ${text ?? ''}` : null,
  );
}

/** Why what a camera sends by itself is refused. */
function refusalOf(refused: SiteFacts['cameras'][number]['refused']): HTMLElement | null {
  if (refused === null) return null;
  const w = say();
  const { count, reason } = refused;
  return element(
    'div',
    { class: 'quiet' },
    element('span', { class: 'badge look' }, count === 1 ? w('postRefused') : w('postsRefused', { count })),
    ` ${w(`refusalReasons_${reason}`)}`,
  );
}

/** Those that are turned away and silent ones first, then those that were heard of longest ago. */
export function showCameras({ cameras, now }: SiteFacts): void {
  const w = say();
  if (cameras.length === 0) return put('cameras', note(w('noCamera')));
  const sorted = [...cameras].sort(
    (a, b) =>
      Number(b.refused !== null) - Number(a.refused !== null) ||
      Number(b.silent) - Number(a.silent) ||
      (a.lastEventAt ?? '').localeCompare(b.lastEventAt ?? ''),
  );
  put(
    'cameras',
    table(
      [[w('name')], [w('last')], [w('count'), 'wide']],
      sorted.map(({ name, silent, lastEventAt, events, connection, refused }) => {
        const heard = lastEventAt
          ? span(Date.parse(now) - Date.parse(lastEventAt)) + w('ago')
          : silent
            ? w('none')
            : w('notYet');
        return element(
          'tr',
          {},
          element(
            'td',
            {},
            ...breakable(name),
            ' ',
            silent ? element('span', { class: 'badge look' }, w('silent')) : null,
            connectionOf(connection),
            refusalOf(refused),
          ),
          element('td', { class: 'time' }, heard),
          element('td', { class: 'wide' }, String(events)),
        );
      }),
    ),
  );
}
