// A business system of as many rows as it is asked for, in a process of its own: WBS nodes, 100 a project.
// Its pages are made before the measurement.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { timeOfMs } from '../../common/dataset/position.ts';
import { DESCRIPTOR_PATH } from '../../common/dataset/schema.ts';
import { serveJobs } from './jobs.ts';

const BEGIN_MS = Date.UTC(2026, 0, 1);
const DESCRIPTOR = {
  key: 'wbs_nodes',
  schemaVersion: '1',
  granularity: 'a node',
  updateFrequency: 'daily',
  earliest: null,
  fields: Object.entries({
    project_id: 'integer',
    parent_id: 'integer',
    name: 'string',
    plan_progress: 'decimal',
    actual_progress: 'decimal',
  }).map(([name, type]) => ({ name, type, measure: null })),
};

export interface SourceJob {
  rows: number;
  pageRows: number;
}

const position = (index: number): string =>
  `${timeOfMs(BEGIN_MS + Math.floor(index / 1000)).slice(0, 23)}${String(index % 1000).padStart(3, '0')}Z`;

function pageOf({ rows, pageRows }: SourceJob, from: number): Buffer {
  const upTo = Math.min(rows, from + pageRows);
  const items = Array.from({ length: upTo - from }, (_, offset) => {
    const pk = from + offset + 1;
    return {
      pk: String(pk),
      updated_at: position(pk),
      deleted: false,
      project_id: Math.ceil(pk / 100),
      parent_id: pk % 10 === 1 ? null : pk - ((pk - 1) % 10),
      name: `Node ${pk}`,
      plan_progress: (pk * 7) % 101,
      actual_progress: (pk * 3) % 101,
    };
  });
  return Buffer.from(
    JSON.stringify({
      items,
      nextCursor: `${position(upTo)}|${upTo}`,
      hasMore: upTo < rows,
      schemaVersion: '1',
      asOf: '2026-06-01T00:00:00Z',
    }),
  );
}

serveJobs(
  (job: SourceJob) =>
    new Promise<number>((resolve) => {
      const pages = new Map<number, Buffer>();
      for (let from = 0; from < job.rows; from += job.pageRows) pages.set(from, pageOf(job, from));
      const descriptor = JSON.stringify({ datasets: [DESCRIPTOR] });
      const server = http.createServer((request, response) => {
        const url = new URL(request.url ?? '/', 'http://localhost');
        response.setHeader('content-type', 'application/json');
        response.end(
          url.pathname === DESCRIPTOR_PATH
            ? descriptor
            : pages.get(Number(url.searchParams.get('cursor')?.split('|')[1] ?? 0)),
        );
      });
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
);
