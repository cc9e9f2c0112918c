import { NoAnswer, Refused } from '../api/fault.ts';
import type { Language, Say } from '../word/catalogue.ts';
import { toldIn } from './refusal.ts';
import type { words } from './words.ts';

/** An error in words: what it is, and what the hub says of it. */
export interface FaultText {
  title: string;
  /** Each thing wrong, in the language of the reader. */
  details: string[];
  requestId: string;
}

export function faultText(error: unknown, say: Say<typeof words>, language: Language): FaultText {
  if (error instanceof NoAnswer) return { title: say('away'), details: [], requestId: '' };
  if (!(error instanceof Refused))
    return { title: say('broken'), details: [error instanceof Error ? error.message : ''], requestId: '' };
  const { requestId, status, retryAfter, faults, code } = error;
  const told = faults.map((one) => {
    const text = toldIn(one, language);
    return one.path === '' ? text : `${one.path} ${text}`;
  });
  const said = language === 'zh' ? (error.messageZh ?? say('unworded')) : error.message;
  const details = told.length > 0 ? told : [`${said} (${code})`];
  if (status === 429) return { title: say('tooMany', { seconds: retryAfter ?? 60 }), details: [], requestId };
  if (status === 403) return { title: say('forbidden'), details, requestId };
  if (status === 404) return { title: say('gone'), details: [], requestId };
  if (status >= 500) return { title: say('failed'), details, requestId };
  return { title: say('refused'), details, requestId };
}
