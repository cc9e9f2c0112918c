import type { StatusMessages } from './status/status-messages.ts';

/** How long, for a person. */
export function span(ms: number, w: Pick<StatusMessages, 's' | 'm' | 'h' | 'd'>): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}${w.s}`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}${w.m}`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)}${w.h}` : `${Math.round(seconds / 86_400)}${w.d}`;
}

/** Bytes for a person. Room below nothing, which is when the reserve is in use, is none. */
export function size(bytes: number | null): string {
  if (bytes === null) return '–';
  let at = 0;
  let value = Math.max(0, bytes);
  for (; value >= 1024 && at < 4; at += 1) value /= 1024;
  return (
    `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ` +
    `${['B', 'KiB', 'MiB', 'GiB', 'TiB'][at]}`
  );
}
