import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { countInTab } from '../page/tab.ts';
import { severeQuery } from '../screen/now/severe.ts';
import { ring } from './ring.ts';

/** What the person came for is asked for first, ms. */
const AFTER_MS = 2_000;

/**
 * Counts the severe alerts that nobody has judged in the title of the tab, and sounds when one comes: also
 * while another tab or window is looked at.
 * @param sound whether it sounds
 */
export function WaitingAlerts({ sound }: { sound: boolean }) {
  const [enabled, enable] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => enable(true), AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const { data } = useQuery({ ...severeQuery, refetchIntervalInBackground: true, enabled });
  const newest = useRef<number | null>(null);
  useEffect(() => {
    if (!data) return;
    countInTab(data.items.length, data.hasMore);
    const last = Math.max(0, ...data.items.map(({ id }) => id));
    // What stood when the page was opened is no news.
    if (sound && newest.current !== null && last > newest.current) ring();
    newest.current = Math.max(newest.current ?? 0, last);
  }, [data, sound]);
  useEffect(() => () => countInTab(0), []);
  return null;
}
