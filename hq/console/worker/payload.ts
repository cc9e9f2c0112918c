import type { Language } from '../word/catalogue.ts';

/** What the hub sends to a device: `PushPayload` of `hq/duty/call/text.ts`, to which a test holds it. */
export interface PushPayload {
  kind: 'call' | 'taken' | 'test';
  tag: string;
  title: string;
  body: string;
  url: string;
  /** Opens its call alone; '' with a test. */
  token: string;
  take: string;
  open: string;
  /** With `{who}` for whoever has it. */
  takenBy: string;
  urgent: boolean;
  lang: Language;
}
