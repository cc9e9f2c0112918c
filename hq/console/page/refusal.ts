import type { Language } from '../word/catalogue.ts';

/** One thing wrong, as the hub tells it. */
export interface ToldFault {
  path: string;
  message: string;
  messageZh?: string;
}

/** What is wrong, without its path; English where the hub has no Chinese for it. */
export const toldIn = ({ message, messageZh }: ToldFault, language: Language): string =>
  language === 'zh' ? (messageZh ?? message) : message;
