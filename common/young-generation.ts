import { PerformanceObserver } from 'node:perf_hooks';
import v8 from 'node:v8';

/**
 * Bounds both halves of the young generation of V8's heap together; left alone they grow to 128 MB. Much less
 * than what is alive at a time would be too small: requests that wait for the disk would outlive it. This is
 * `--max-semi-space-size` for a process that was started without it.
 * @param bytes looked at after each collection; a power of two
 * @param collected called after each collection
 */
export function boundYoungGeneration(bytes: number, collected: () => void = () => undefined): void {
  let mayGrow = true;
  const settle = (): void => {
    collected();
    const small = youngBytes() < bytes;
    if (small === mayGrow) return;
    mayGrow = small;
    v8.setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  };
  new PerformanceObserver(settle).observe({ entryTypes: ['gc'] });
  settle();
}

function youngBytes(): number {
  return v8.getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')?.space_size ?? 0;
}
