// The Prometheus page: figures of the process go on from one request to the next, and asking often costs
// nothing that stays.
import { PerformanceObserver } from 'node:perf_hooks';
import { afterEach, expect, test, vi } from 'vitest';
import { counter, renderMetrics } from '../../common/metrics.ts';

afterEach(() => vi.restoreAllMocks());

const figure = (text: string, name: string): number =>
  Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);

test('processor time only rises, and the figures of the program stand beside those of the process', async () => {
  const one = [counter('fieldline_things_total', 'Things', () => 7)];
  const before = await renderMetrics(one);
  const { user } = process.cpuUsage();
  while (process.cpuUsage().user - user < 30_000);
  const after = await renderMetrics(one);
  expect(
    figure(after.text, 'process_cpu_seconds_total') - figure(before.text, 'process_cpu_seconds_total'),
  ).toBeGreaterThanOrEqual(0.03);
  expect(figure(after.text, 'fieldline_things_total')).toBe(7);
  const names = [...after.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(after.text).toMatch(/[^\n]\n$/);
});

test('no watcher of the collector is added by a further request', async () => {
  await renderMetrics([]);
  const observe = vi.spyOn(PerformanceObserver.prototype, 'observe');
  for (let n = 0; n < 5; n += 1) await renderMetrics([]);
  expect(observe).not.toHaveBeenCalled();
});
