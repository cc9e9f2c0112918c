const two = (value: number): string => String(value).padStart(2, '0');

/**
 * A moment as the clock on the wall shows it, in the zone of this machine: 2026-11-21 19:38:18. @param at
 * epoch ms or RFC 3339
 */
export function localTime(at: number | string): string {
  const d = new Date(at);
  return (
    `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ` +
    `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`
  );
}

/** The same with the zone: 2026-11-21 19:38:18 UTC+08:00. */
export function localTimeWithZone(at: number | string): string {
  const east = -new Date(at).getTimezoneOffset();
  const size = Math.abs(east);
  return (
    `${localTime(at)} ` +
    `UTC${east === 0 ? '' : `${east > 0 ? '+' : '-'}${two(Math.floor(size / 60))}:${two(size % 60)}`}`
  );
}
