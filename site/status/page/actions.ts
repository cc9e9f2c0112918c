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
  const phrases = say();
  const question = {
    head: phrases.clearHead,
    text: `${text} ${phrases.clearWhy}`,
    act: phrases.clear,
    run: async (by: string): Promise<string> => {
      await ask('POST', '/api/core/alarms/clear', { key, by });
      return phrases.cleared;
    },
  };
  return button(phrases.clear, () => askFirst(question, done), `clear ${key}`);
}

/** @param count of all that are parked, also beyond those that are shown */
export function showParked(items: readonly ParkedItem[], count: number, done: () => void): void {
  const phrases = say();
  byId('parkedpart').hidden = items.length === 0;
  const all = {
    head: phrases.replayAll,
    text: phrases.replayWhy,
    act: phrases.replay,
    who: false as const,
    run: () => replay({}),
  };
  put(
    'parked',
    note(phrases.parkedWhy(count)),
    ...items.map((item) => parkedItem(item, done)),
    count > items.length ? note(phrases.parkedMore(count - items.length)) : '',
    count > 1 ? button(phrases.replayAll, () => askFirst(all, done), 'replay all', 'main') : '',
  );
}

async function replay(which: object): Promise<string> {
  const { replayed, refused } = await ask<Replayed>('POST', '/api/core/uplink/parked/replay', which);
  return say().replayed(replayed.length, refused.length);
}

function parkedItem(item: ParkedItem, done: () => void): HTMLElement {
  const phrases = say();
  const { channel, originId } = item;
  const name = `${phrases.flows[channel]} ${originId}`;
  const again = {
    head: `${phrases.replay}: ${name}`,
    text: phrases.replayWhy,
    act: phrases.replay,
    who: false as const,
    run: () => replay({ channel, origin_ids: [originId] }),
  };
  const giveUp = {
    head: `${phrases.discard}: ${name}`,
    text: phrases.discardWhy,
    act: phrases.discard,
    final: true,
    run: async (by: string): Promise<string> => {
      await ask('POST', '/api/core/uplink/parked/discard', { channel, origin_id: originId, by });
      return phrases.discarded;
    },
  };
  return element(
    'div',
    { class: 'alarm look' },
    element('p', {}, language() === 'zh' ? item.messageZh : item.message),
    note(`${name} · ${item.error} · ${phrases.times(item.count)} · ${clockTime(item.lastAt)}`),
    element(
      'div',
      { class: 'acts' },
      button(phrases.replay, () => askFirst(again, done), `replay ${name}`),
      button(phrases.discard, () => askFirst(giveUp, done), `discard ${name}`),
    ),
  );
}

/** null: the guard has stopped nothing. */
export function diskButton({ disk }: SiteFacts, done: () => void): HTMLElement | null {
  if (disk.guardSince === null) return null;
  const phrases = say();
  const question = {
    head: phrases.confirmDisk,
    text: phrases.confirmDiskWhy,
    act: phrases.confirmDisk,
    final: true,
    run: async (by: string): Promise<string> => {
      await ask('POST', '/api/core/disk/confirm', { by });
      return phrases.confirmedDisk;
    },
  };
  return button(phrases.confirmDisk, () => askFirst(question, done), 'disk');
}
