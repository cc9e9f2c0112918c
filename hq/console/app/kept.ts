import { useCallback, useState } from 'react';

/**
 * A choice that this browser keeps. Private windows may refuse to keep it; then it holds until the page is
 * left.
 */
export function useKept<T extends string>(
  name: string,
  choices: readonly T[],
  first: T,
): [T, (value: T) => void] {
  const key = `fieldline.${name}`;
  const [value, set] = useState<T>(() => choices.find((one) => one === read(key)) ?? first);
  const change = useCallback(
    (next: T) => {
      set(next);
      write(key, next);
    },
    [key],
  );
  return [value, change];
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // storage is switched off
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // storage is switched off
  }
}
