// What a technician can settle from the page: alarms, what headquarters refused, and the guard of the disk.
import type { SiteFacts } from '../schema.ts';
import { ask } from './call.ts';
import { askFirst, button } from './dialog.ts';
import { byId, element, note, put } from './element.ts';
import { clockTime } from './figure.ts';
import { language, say } from './language.ts';

export interface ParkedItem {
  channel: 'events' | 'verdicts';
  originId: number;
  error: string;
  message: string;
  messageZh: string;
  count: number;
  lastAt: string;
}

interface Replayed {
  replayed: unknown[];
  refused: { message: string }[];
}

/** Parked items that are shown at once. */
export const SHOWN_PARKED = 20;

export function alarmButton(key: string, text: string, done: () => void): HTMLElement {
  const w = say();
  const question = {
    head: w('clearHead'),
    text: `${text} ${w('clearWhy')}`,
    act: w('clear'),
    run: async (by: string): Promise<string> => {
      await ask('POST', '/api/core/alarms/clear', { key, by });
      return w('cleared');
    },
  };
  return button(w('clear'), () => askFirst(question, done), `clear ${key}`);
}

/** @param count of all that are parked, also beyond those that are shown */
export function showParked(items: readonly ParkedItem[], count: number, done: () => void): void {
  const w = say();
  byId('parkedpart').hidden = items.length === 0;
  const all = {
    head: w('replayAll'),
    text: w('replayWhy'),
    act: w('replay'),
    who: false as const,
    run: () => replay({}),
  };
  put(
    'parked',
    note(w('parkedWhy', { n: count })),
    ...items.map((item) => parkedItem(item, done)),
    count > items.length ? note(w('parkedMore', { n: count - items.length })) : '',
    count > 1 ? button(w('replayAll'), () => askFirst(all, done), 'replay all', 'main') : '',
  );
}

async function replay(which: object): Promise<string> {
  const { replayed, refused } = await ask<Replayed>('POST', '/api/core/uplink/parked/replay', which);
  const w = say();
  const again = refused.length > 0 ? w('refusedAgain', { count: refused.length }) : '';
  return w('replayed', { taken: replayed.length, again });
}

function parkedItem(item: ParkedItem, done: () => void): HTMLElement {
  const w = say();
  const { channel, originId } = item;
  const name = `${w(`flows_${channel}`)} ${originId}`;
  const again = {
    head: `${w('replay')}: ${name}`,
    text: w('replayWhy'),
    act: w('replay'),
    who: false as const,
    run: () => replay({ channel, origin_ids: [originId] }),
  };
  const giveUp = {
    head: `${w('discard')}: ${name}`,
    text: w('discardWhy'),
    act: w('discard'),
    final: true,
    run: async (by: string): Promise<string> => {
      await ask('POST', '/api/core/uplink/parked/discard', { channel, origin_id: originId, by });
      return w('discarded');
    },
  };
  return element(
    'div',
    { class: 'alarm look' },
    element('p', {}, language() === 'zh' ? item.messageZh : item.message),
    note(`${name} · ${item.error} · ${w('times', { n: item.count })} · ${clockTime(item.lastAt)}`),
    element(
      'div',
      { class: 'acts' },
      button(w('replay'), () => askFirst(again, done), `replay ${name}`),
      button(w('discard'), () => askFirst(giveUp, done), `discard ${name}`),
    ),
  );
}

/** null: the guard has stopped nothing. */
export function diskButton({ disk }: SiteFacts, done: () => void): HTMLElement | null {
  if (disk.guardSince === null) return null;
  const w = say();
  const question = {
    head: w('confirmDisk'),
    text: w('confirmDiskWhy'),
    act: w('confirmDisk'),
    final: true,
    run: async (by: string): Promise<string> => {
      await ask('POST', '/api/core/disk/confirm', { by });
      return w('confirmedDisk');
    },
  };
  return button(w('confirmDisk'), () => askFirst(question, done), 'disk');
}
