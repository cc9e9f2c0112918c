// What the page says, in both languages.
import { type Phrases, zh } from './chinese-messages.ts';
import { en } from './english-messages.ts';

export type { Phrases };
export type Language = 'zh' | 'en';

export const phrases: Readonly<Record<Language, Phrases>> = { zh, en };
