import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useKept } from '../app/kept.ts';
import { type Catalogue, type Language, languages, type Say, sayIn } from './catalogue.ts';

const Context = createContext<{ language: Language; change: (language: Language) => void } | null>(null);

const spoken = (): Language =>
  navigator.languages
    .find((one) => /^(?:zh|en)\b/i.test(one))
    ?.toLowerCase()
    .startsWith('en')
    ? 'en'
    : 'zh';

/** The language that was chosen in this browser, at first the one that it asks for. */
export function LanguageProvider({ children }: { children: ReactNode }) {
  const [language, change] = useKept('language', languages, spoken());
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  }, [language]);
  const value = useMemo(() => ({ language, change }), [language, change]);
  return <Context value={value}>{children}</Context>;
}

export function useLanguage(): { language: Language; change: (language: Language) => void } {
  const value = useContext(Context);
  if (!value) throw new Error('useLanguage stands outside of LanguageProvider');
  return value;
}

/** `const say = useWords(words); say('title')`. */
export function useWords<const C extends Catalogue>(words: C): Say<C> {
  const { language } = useLanguage();
  return useMemo(() => sayIn(words, language), [words, language]);
}
