// The module that a business system takes to serve its datasets: built to `dist/dataset/serve.mjs`, on which
// nothing else depends.
import type http from 'node:http';
import { systemClock } from '../clock.ts';
import { datasetListener, type PullKey } from './listener.ts';
import { DatasetService, type ServedDataset } from './service.ts';

export interface DatasetServer {
  datasets: readonly ServedDataset[];
  /** The key of that id; null for an unknown one. */
  key: (keyId: string) => PullKey | null | Promise<PullKey | null>;
  /**
   * Milliseconds that rows are held back, more than the longest transaction that writes them; a minute unless
   * given.
   */
  lagMs?: number;
  /** Told of what is not the caller's fault; the standard error output unless given. */
  onError?: (error: unknown) => void;
}

const LAG_MS = 60_000;

/**
 * Answers requests for datasets (spec 2, "Dataset pull"): a listener for `node:http`, or for the paths below
 * `DESCRIPTOR_PATH` of any framework on it. @throws Error when a descriptor is not valid
 */
export function serveDatasets({
  datasets,
  key,
  lagMs = LAG_MS,
  onError = report,
}: DatasetServer): http.RequestListener {
  const service = new DatasetService({ datasets, clock: systemClock, lagMs });
  return datasetListener({ service, key, clock: systemClock, onError });
}

function report(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}

export { DESCRIPTOR_PATH } from './schema.ts';
export type { PullKey, ServedDataset };
