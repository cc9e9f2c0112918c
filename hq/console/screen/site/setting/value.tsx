import { useLanguage, useWords } from '../../../word/language.tsx';
import { bytes, number } from '../../../word/number.ts';
import type { SettingForm, Value } from './queries.ts';
import { words } from './words.ts';

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
/** Bytes are typed in these, as they are shown. */
export const GIGABYTE = 1e9;

/** A value with its unit, in words. @returns says one of a form; null: nothing is bounded */
export function useValueText(): (form: SettingForm, value: Value | null) => string {
  const say = useWords(words);
  const { language } = useLanguage();
  return ({ name, kind, unit }, value) => {
    if (value === null) return say(unit === 'days' ? 'forEver' : 'none');
    if (value === 0 && name === 'CORE_UPLINK_EVIDENCE_KBPS') return say('noCap');
    if (value === 0 && name === 'CORE_EVIDENCE_TENANT_PERCENT') return say('even');
    if (value === 0 && name === 'CORE_BACKUP_ALARM_DAYS') return say('nobodyTold');
    if (kind === 'choice') {
      const level = levels.find((one) => one === value);
      return level === undefined ? String(value) : say(level);
    }
    if (typeof value === 'string' || unit === null) return String(value);
    return unit === 'bytes' ? bytes(value, language) : say(unit, { value: number(value, language) });
  };
}
