// The language that the page speaks: the one chosen last in this browser, otherwise the browser's own.
import { type Language, type Say, sayer } from '../../../common/message.ts';
import { type PageMessages, pageMessages } from './page-messages.ts';

const KEPT_AS = 'lang';

let current: Language = kept() ?? (navigator.language.startsWith('zh') ? 'zh' : 'en');

export const language = (): Language => current;

/** What the page says, in its language. */
export const say = (): Say<PageMessages> => sayer(pageMessages, current);

export function switchLanguage(): void {
  current = current === 'zh' ? 'en' : 'zh';
  try {
    localStorage.setItem(KEPT_AS, current);
  } catch {
    // A browser without storage forgets the language.
  }
}

function kept(): Language | null {
  try {
    const value = localStorage.getItem(KEPT_AS);
    return value === 'zh' || value === 'en' ? value : null;
  } catch {
    return null; // A browser without storage remembers none.
  }
}
