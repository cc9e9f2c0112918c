// How door stations and doorbells of Dahua tell a ring: each by several codes at once, which are one press.
import { textAt, valueAt } from '../message/json.ts';
import type { DahuaRecord } from './fields.ts';

/** `rings`, `over` when it is answered or given up, or `nothing` that anybody waits for. */
export type Call = 'rings' | 'over' | 'nothing';

const RINGS = new Set([
  'invite',
  'callnoanswered',
  '_callnoanswer_',
  'doorbell',
  'doorbellpressed',
  'ringbell',
]);
const OVER = new Set([
  'hangup',
  'hangupphone',
  'hungupphone',
  'passivehangup',
  'passivehungup',
  'ignoreinvite',
]);
/** What the lamp of the button shows, by its number. */
const LAMP: Readonly<Record<string, Call>> = {
  '0': 'over',
  '1': 'rings',
  '2': 'rings',
  '5': 'over',
  '6': 'over',
};

/** null: the record tells of no call. */
export function callOf({ code, action, data }: DahuaRecord): Call | null {
  const word = code.toLowerCase();
  if (word === '_dotalkaction_') return talkOf(textAt(data, 'Action') ?? action);
  if (word === 'backkeylight') return LAMP[textAt(data, 'State') ?? ''] ?? 'nothing';
  if (OVER.has(word)) return action === 'stop' ? 'nothing' : 'over';
  if (!RINGS.has(word) && !(word === 'phonecalldetect' && tellsNobody(data))) return null;
  return action === 'stop' ? 'over' : 'rings';
}

function talkOf(action: string): Call {
  if (/^invite$/i.test(action)) return 'rings';
  return /^(?:hang|cancel|bye|refuse|reject)/i.test(action) ? 'over' : 'nothing';
}

/** Cameras tell by the same code of somebody who holds a phone, and then whom they saw. */
const tellsNobody = (data: unknown): boolean =>
  ['Object', 'Objects', 'Class'].every((name) => valueAt(data, name) === undefined);

/**
 * The flat that is called at a door station, which stands where other records have their channel; null where
 * that is one.
 */
export const roomOf = ({ index, data }: DahuaRecord): string | null =>
  /^\d{4}$/.test(index) || textAt(data, 'LockNum') !== null ? index : null;
