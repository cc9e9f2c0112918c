// One event with all that is known of it, and its pictures.
import type { EventView } from '../../../common/core/event/render.ts';
import { ask } from './call.ts';
import { openDialog } from './dialog.ts';
import { breakable, type Content, element, note } from './element.ts';
import { bytes, clockTime } from './figure.ts';
import { language, say } from './language.ts';
import { typeName } from './type-names.ts';

interface File {
  name: string;
  contentType: string;
  size: number;
  state: string;
}

interface Step {
  text: string;
  textZh: string;
  source: { table: string };
}

/** What a browser shows as a picture. */
const PICTURE = /^image\/(?:jpeg|png|webp|gif)$/;

export function showEvent(event: EventView): void {
  openDialog(
    event.title ?? typeName(event),
    facts(event),
    element('div', { id: 'heard' }),
    element('div', { id: 'files' }, note(say()('loading'))),
  );
  showHeard(event);
  ask<{ items: File[] }>('GET', `/api/core/events/${event.id}/evidence`)
    .then(({ items }) =>
      putFiles(
        event,
        items.map((file) => shown(event, file)),
      ),
    )
    .catch((error: unknown) => putFiles(event, [note((error as Error).message)]));
}

function putFiles(event: EventView, files: HTMLElement[]): void {
  put(event, 'files', files.length > 0 ? files : [note(say()('noFile'))]);
}

/** The dialog may have gone on to another event meanwhile. */
function put({ id }: EventView, where: string, what: HTMLElement[]): void {
  if (document.getElementById('eventid')?.textContent !== String(id)) return;
  document.getElementById(where)?.replaceChildren(...what);
}

/** Whether its camera heard what was decided, in the words of the course of the event. */
function showHeard(event: EventView): void {
  const tenant = encodeURIComponent(event.tenantCode);
  ask<{ steps: Step[] }>('GET', `/api/core/events/${event.id}/timeline?tenant_code=${tenant}`)
    .then(({ steps }) => {
      const told = steps.filter(({ source }) => source.table === 'feedback');
      put(
        event,
        'heard',
        told.map(({ text, textZh }) => note(language() === 'zh' ? textZh : text)),
      );
    })
    .catch((error: unknown) => put(event, 'heard', [note((error as Error).message)]));
}

function facts(event: EventView): HTMLElement {
  const w = say();
  const verdict = event.correctedTo ?? event.verdict;
  const named = typeName(event);
  const rows: [string, Content[] | string | null | undefined][] = [
    [w('what'), breakable(named === event.type ? named : `${named} (${event.type})`)],
    [w('severity'), event.severity && w(`severities_${event.severity}`)],
    [w('occurred'), event.occurredAt && clockTime(event.occurredAt)],
    [w('received'), clockTime(event.receivedAt)],
    [w('camera'), event.cameraName ?? event.cameraRef],
    [w('place'), event.siteRef ?? event.pointRef],
    [w('verdict'), w(verdict ?? 'open')],
    [w('described'), event.description],
    [w('judgedText'), event.judged?.text],
    [w('test'), event.isTest ? w('yes') : null],
  ];
  return element(
    'dl',
    {},
    ...rows
      .filter(([, value]) => value)
      .flatMap(([head, value]) => [
        element('dt', {}, head),
        element('dd', {}, ...(Array.isArray(value) ? value : [value])),
      ]),
    element('dt', {}, w('number')),
    element('dd', { id: 'eventid' }, String(event.id)),
  );
}

function shown(event: EventView, { name, contentType, size, state }: File): HTMLElement {
  const w = say();
  const path = `/api/core/events/${event.id}/evidence/${encodeURIComponent(name)}`;
  const text = `${name} · ${bytes(size)}`;
  if (state !== 'stored') return note(`${text} · ${w('notHere')}`);
  if (!PICTURE.test(contentType)) return element('p', {}, element('a', { href: path, download: name }, text));
  return element(
    'figure',
    {},
    element(
      'a',
      { href: path, target: '_blank', rel: 'noreferrer' },
      element('img', { src: path, alt: name }),
    ),
    element('figcaption', { class: 'quiet' }, text),
  );
}
