// The one table that the bench prints.

export interface Row {
  what: string;
  measured: string;
  /** The bare figure from the same run that it stands beside. */
  floor?: string;
  ratio?: number;
  target?: string;
  /** Absent on rows that only inform. */
  ok?: boolean;
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en');
export const perSecond = (value: number, unit: string): string => `${whole(value)} ${unit}/s`;
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const mib = (value: number): string => `${value.toFixed(1)} MB`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/** A row with a target that the figure must not be below. */
export function atLeast(what: string, measured: number, bound: number, unit: string): Row {
  return {
    what,
    measured: perSecond(measured, unit),
    target: `≥ ${perSecond(bound, unit)}`,
    ok: measured >= bound,
  };
}

/** A row with a target that the figure must not exceed. */
export function atMost(what: string, measured: number, bound: number, show: (value: number) => string): Row {
  return { what, measured: show(measured), target: `≤ ${show(bound)}`, ok: measured <= bound };
}

export interface Share {
  what: string;
  measured: number;
  floor: number;
  /** Smallest share of the floor. */
  bound: number;
  unit: string;
  floorUnit: string;
}

/** A row whose target is a share of a floor. */
export function shareOf({ what, measured, floor, bound, unit, floorUnit }: Share): Row {
  const ratio = measured / floor;
  return {
    what,
    measured: perSecond(measured, unit),
    floor: perSecond(floor, floorUnit),
    ratio,
    target: `≥ ${bound}`,
    ok: ratio >= bound,
  };
}

const HEAD = ['what', 'measured', 'floor', 'ratio', 'target', ''];

export function renderTable(rows: readonly Row[]): string {
  const cells = rows.map((row) => [
    row.what,
    row.measured,
    row.floor ?? '',
    row.ratio === undefined ? '' : row.ratio.toFixed(2),
    row.target ?? '',
    row.ok === undefined ? '' : row.ok ? 'ok' : 'below',
  ]);
  const all = [HEAD, ...cells];
  const widths = HEAD.map((_, column) => Math.max(...all.map((line) => (line[column] as string).length)));
  const lines = all.map((line) =>
    line
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[0] as number) : cell.padStart(widths[column] as number),
      )
      .join('  ')
      .trimEnd(),
  );
  return [lines[0], '-'.repeat(widths.reduce((sum, width) => sum + width + 2, -2)), ...lines.slice(1)].join(
    '\n',
  );
}
