import type * as Library from 'prom-client';

/** One figure of the Prometheus page, read when it is asked for. */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge';
  /** The value, or one per set of labels. */
  read: () => Reading | Promise<Reading>;
}

/** A figure that only rises while the process runs. */
export const counter = (name: string, help: string, read: Metric['read']): Metric => ({
  name,
  help,
  type: 'counter',
  read,
});

/** A figure as it stands now, which rises and falls. */
export const gauge = (name: string, help: string, read: Metric['read']): Metric => ({
  name,
  help,
  type: 'gauge',
  read,
});

export type Reading = number | { labels: Record<string, string>; value: number }[];

/**
 * What the library collects of this process; begun at the first request, and once: its watchers of the event
 * loop and of the collector never end.
 */
let ofProcess: Library.Registry | null = null;

function collectOfProcess(prom: (typeof Library)['default']): Library.Registry {
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
  return registry;
}

/**
 * Renders the metrics. The library is loaded at the first request only: a site
 * that nobody scrapes does not pay for it.
 */
export async function renderMetrics(
  metrics: readonly Metric[],
): Promise<{ text: string; contentType: string }> {
  const { default: prom } = await import('prom-client');
  const registry = new prom.Registry();
  ofProcess ??= collectOfProcess(prom);
  try {
    for (const metric of metrics) {
      const reading = await metric.read();
      const rows = typeof reading === 'number' ? [{ labels: {}, value: reading }] : reading;
      const labelNames = [...new Set(rows.flatMap((row) => Object.keys(row.labels)))];
      const config = { name: metric.name, help: metric.help, labelNames, registers: [registry] };
      if (metric.type === 'counter') {
        const instrument = new prom.Counter(config);
        for (const { labels, value } of rows) instrument.inc(labels, value);
      } else {
        const instrument = new prom.Gauge(config);
        for (const { labels, value } of rows) instrument.set(labels, value);
      }
    }
    return {
      text: `${await ofProcess.metrics()}\n${await registry.metrics()}`,
      contentType: registry.contentType,
    };
  } finally {
    registry.clear();
  }
}
