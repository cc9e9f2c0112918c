const MINUTES = 60;

/**
 * Time zone of this machine: its IANA name, or its offset as `+08:00` where the machine names no zone that
 * is known.
 */
export function machineZone(
  named: string = Intl.DateTimeFormat().resolvedOptions().timeZone,
  eastMinutes: number = -new Date().getTimezoneOffset(),
): string {
  if (isKnown(named)) return named;
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(eastMinutes);
  return `${eastMinutes < 0 ? '-' : '+'}${two(Math.floor(size / MINUTES))}:${two(size % MINUTES)}`;
}

function isKnown(zone: string | undefined): boolean {
  if (!zone || zone === 'Etc/Unknown') return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false; // it has no such name
  }
}
