import { useSyncExternalStore } from 'react';

/** Whether the browser or its owner asks for something, from the first picture on, also when that changes. */
export const useAsked = (query: MediaQueryList): boolean =>
  useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => query.matches,
  );

/** The widths from which antd calls a page `md` and `lg`, px. */
const widths = { md: matchMedia('(min-width: 768px)'), lg: matchMedia('(min-width: 992px)') };

/**
 * Whether the page is as wide as that. Not antd's `useBreakpoint`, which takes every page for a narrow one at
 * first: all rows would be drawn twice.
 */
export const useWide = (from: keyof typeof widths): boolean => useAsked(widths[from]);
