// Pure: a table as a file that Excel, LibreOffice and programs read (RFC 4180).

export type Cell = string | number | null;

/** Without it Excel takes UTF-8 for the code page of its machine, and Chinese is lost. */
const BYTE_ORDER_MARK = '\uFEFF';
/** What a spreadsheet takes for the beginning of a formula, also after blanks. */
const FORMULA = /^\s*[=+\-@\t\r＝＋－＠]/;

/** Texts that came from a camera or a person are never run: an apostrophe makes them text. */
function cellOf(value: Cell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** @param head names of the columns @param rows in the order of the file */
export const csv = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  BYTE_ORDER_MARK + [head, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
