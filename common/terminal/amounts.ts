/**
 * A number of bytes as a person reads it. A negative one counts as 0: room is below 0 while the reserve of
 * the disk is in use.
 */
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
