import { App, ConfigProvider, theme } from 'antd';
import en from 'antd/locale/en_US';
import zh from 'antd/locale/zh_CN';
import dayjs from 'dayjs';
import 'dayjs/locale/zh-cn';
import { createContext, useContext, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react';
import { useLanguage } from '../word/language.tsx';
import { useKept } from './kept.ts';
import { nonce } from './nonce.ts';

export const looks = ['system', 'light', 'dark'] as const;
export type Look = (typeof looks)[number];

const Context = createContext<{ look: Look; dark: boolean; change: (look: Look) => void } | null>(null);

export function useLook() {
  const value = useContext(Context);
  if (!value) throw new Error('useLook stands outside of ThemeProvider');
  return value;
}

const query = matchMedia('(prefers-color-scheme: dark)');
const watch = (changed: () => void): (() => void) => {
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
};

/** Look and language of everything that antd draws. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [look, change] = useKept('look', looks, 'system');
  const systemDark = useSyncExternalStore(watch, () => query.matches);
  const { language } = useLanguage();
  const dark = look === 'dark' || (look === 'system' && systemDark);
  useEffect(() => {
    document.documentElement.style.colorScheme = dark ? 'dark' : 'light';
  }, [dark]);
  useEffect(() => void dayjs.locale(language === 'zh' ? 'zh-cn' : 'en'), [language]);
  const value = useMemo(() => ({ look, dark, change }), [look, dark, change]);
  return (
    <Context value={value}>
      <ConfigProvider
        locale={language === 'zh' ? zh : en}
        csp={{ nonce }}
        theme={{
          algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
          cssVar: { key: 'fieldline' },
          hashed: false,
          token: { colorPrimary: '#1668dc', borderRadius: 6 },
        }}
      >
        <App>{children}</App>
      </ConfigProvider>
    </Context>
  );
}
