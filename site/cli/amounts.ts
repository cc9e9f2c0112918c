import type { StatusMessages } from './status/status-messages.ts';

/** A duration as a person reads it. */
export function span(ms: number, w: StatusMessages): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds}${w('s')}`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)}${w('m')}`;
  return seconds < 172_800
    ? `${Math.round(seconds / 3_600)}${w('h')}`
    : `${Math.round(seconds / 86_400)}${w('d')}`;
}
