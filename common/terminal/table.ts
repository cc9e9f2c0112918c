/** Columns that a terminal gives a text: East Asian wide characters take two. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]/.test(
        character,
      )
        ? 2
        : 1;
  return width;
}

/** Rows as aligned text, two blanks between columns, nothing behind the last. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column] ?? ''))));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        column === row.length - 1 ? cell : cell + ' '.repeat((widths[column] ?? 0) - displayWidth(cell)),
      )
      .join('  ');
  return `${all.map(line).join('\n')}\n`;
}

/** The head of a table, as a sentence has it: `NAME | SINCE`. */
export const columns = (head: string): string[] => head.split(' | ');
