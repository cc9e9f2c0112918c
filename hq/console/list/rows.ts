import { useState } from 'react';
import { useKeys } from '../keyboard/keys.ts';

/** The key of the row that the keyboard is on, and how it is put on another. */
export type Here = readonly [key: string | null, set: (key: string | null) => void];

/** For a screen that does something with the row that the keyboard is on. */
export const useHere = (): Here => useState<string | null>(null);

/**
 * Rows of a table by the keyboard: `j` and `k` move, Enter opens. Spread `table` into antd's table.
 * @param open what Enter and a click on a row do; absent: nothing
 */
export function useRows<T extends object>({
  rows,
  keyOf,
  open,
  here: given,
}: {
  rows: readonly T[];
  keyOf: (row: T) => string;
  open?: (row: T) => void;
  here?: Here;
}) {
  const own = useHere();
  const [here, setHere] = given ?? own;
  const at = rows.findIndex((row) => keyOf(row) === here);
  const move = (by: 1 | -1): void => {
    const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
    if (!next) return;
    const key = keyOf(next);
    setHere(key);
    document.querySelector(`[data-row-key="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const current = rows[at];
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    ...(open && current ? { Enter: () => open(current) } : {}),
    ...(here === null ? {} : { Escape: () => setHere(null) }),
  });
  return {
    /** The row that the keyboard is on. */
    current,
    table: {
      rowKey: keyOf,
      rowClassName: (row: T): string => (keyOf(row) === here ? 'row-here' : ''),
      ...(open ? { onRow: (row: T) => ({ onDoubleClick: () => open(row) }) } : {}),
    },
  };
}
