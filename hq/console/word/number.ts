import type { Language } from './catalogue.ts';

export const number = (value: number, language: Language): string =>
  new Intl.NumberFormat(language).format(value);

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `12.3 GB`, in powers of 1000 as disks are sold. */
export function bytes(value: number, language: Language): string {
  const step = value < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(value) / 3));
  const format = new Intl.NumberFormat(language, { maximumFractionDigits: step === 0 ? 0 : 1 });
  return `${format.format(value / 1000 ** step)} ${UNITS[step] ?? 'B'}`;
}
