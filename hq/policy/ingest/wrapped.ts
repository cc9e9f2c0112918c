// Lines that the paper broke, put together. Pure.

/** Chinese goes on without a blank; a word cut by a hyphen is put together. */
export function joined(before: string, after: string): string {
  if (
    /\p{Script=Han}$|[，。；：、！？）》”]$/u.test(before) ||
    /^[\p{Script=Han}，。；：、！？）》”]/u.test(after)
  )
    return before + after;
  if (/\p{Ll}-$/u.test(before) && /^\p{Ll}/u.test(after)) return before.slice(0, -1) + after;
  return `${before} ${after}`;
}

/** The text of a cell or line, of its lines. */
export const cellText = (lines: readonly string[]): string =>
  lines
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .reduce((text, line) => (text === '' ? line : joined(text, line)), '');
