import type { PlainKey } from '../../../word/catalogue.ts';
import type { words } from './words.ts';

const NAMES: Readonly<Record<string, PlainKey<typeof words>>> = {
  events: 'events',
  verdicts: 'verdicts',
  evidence: 'evidence',
  notifications: 'notifications',
  orders: 'orders',
  decisions: 'decisions',
};

/** The word for a flow or channel; undefined for one of a newer site. */
export const flowWord = (name: string): PlainKey<typeof words> | undefined => NAMES[name];
