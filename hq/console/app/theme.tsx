import 'dayjs/locale/zh-cn';
import { App, ConfigProvider, theme } from 'antd';
import en from 'antd/es/locale/en_US';
import zh from 'antd/es/locale/zh_CN';
import dayjs from 'dayjs';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { useLanguage } from '../word/language.tsx';
import { useAsked } from './asked.ts';
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

/**
 * Where antd's light colours of text are paler on their grounds than 4.5 to 1 (WCAG 2, 1.4.3), darker
 * ones; the grounds and borders stay antd's.
 */
const LEGIBLE = {
  colorTextTertiary: 'rgba(0, 0, 0, 0.6)',
  colorTextDescription: 'rgba(0, 0, 0, 0.6)',
  colorTextPlaceholder: 'rgba(0, 0, 0, 0.58)',
  colorPrimaryHover: '#0958d9',
  colorLink: '#0958d9',
  colorLinkHover: '#1668dc',
  colorInfo: '#0958d9',
  colorInfoBg: '#e6f4ff',
  colorInfoBorder: '#91caff',
  colorSuccess: '#2f7d0f',
  colorSuccessBg: '#f6ffed',
  colorSuccessBorder: '#b7eb8f',
  colorWarning: '#9a4b00',
  colorWarningBg: '#fffbe6',
  colorWarningBorder: '#ffe58f',
  colorError: '#cf1322',
  colorErrorBg: '#fff2f0',
  colorErrorBorder: '#ffccc7',
};

const LEGIBLE_DARK = {
  colorTextTertiary: 'rgba(255, 255, 255, 0.6)',
  colorTextDescription: 'rgba(255, 255, 255, 0.6)',
  colorTextPlaceholder: 'rgba(255, 255, 255, 0.55)',
  colorPrimaryHover: '#2b6cc4',
  colorLink: '#5c9ff5',
  colorLinkHover: '#8abaf8',
  colorInfo: '#5c9ff5',
  colorInfoBg: '#111a2c',
  colorInfoBorder: '#15325b',
  colorError: '#f37370',
  colorErrorBg: '#2c1618',
  colorErrorBorder: '#5b2526',
};
/**
 * For whoever asks for less motion. Not antd's `motion: false`: its dialogs then open without giving the
 * focus to what is to be filled in first.
 */
const STILL = { motionDurationFast: '0.01s', motionDurationMid: '0.01s', motionDurationSlow: '0.01s' };
/** Where a colour that stands for an act is a text, or the ground of one. */
const COMPONENTS = { Button: { defaultHoverColor: '#0958d9' } };
const COMPONENTS_DARK = {
  Tabs: { itemSelectedColor: '#5c9ff5', itemHoverColor: '#8abaf8', itemActiveColor: '#5c9ff5' },
  Menu: { itemSelectedColor: '#8abaf8', subMenuItemSelectedColor: '#8abaf8' },
  Button: { dangerColor: '#141414' },
};

/** How long a message of success stands, seconds: long enough to be read by who looked elsewhere. */
const MESSAGES = { duration: 8 };

const darkAsked = matchMedia('(prefers-color-scheme: dark)');
const stillnessAsked = matchMedia('(prefers-reduced-motion: reduce)');

/** Look and language of everything that antd draws. */
export function ThemeProvider({ children }: { children: ReactNode }) {
  const [look, change] = useKept('look', looks, 'system');
  const systemDark = useAsked(darkAsked);
  const still = useAsked(stillnessAsked);
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
        wave={{ disabled: still }}
        theme={{
          algorithm: dark ? theme.darkAlgorithm : theme.defaultAlgorithm,
          cssVar: { key: 'fieldline' },
          hashed: false,
          token: {
            colorPrimary: '#1668dc',
            borderRadius: 6,
            ...(still ? STILL : {}),
            ...(dark ? LEGIBLE_DARK : LEGIBLE),
          },
          components: dark ? COMPONENTS_DARK : COMPONENTS,
        }}
      >
        <App message={MESSAGES}>{children}</App>
      </ConfigProvider>
    </Context>
  );
}
