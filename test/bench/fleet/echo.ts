// The bare server that empty calls are measured against: node:http, the body read, a small JSON answer.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveJobs } from '../jobs.ts';

export interface EchoSpent {
  port: number;
  /** Of the process so far, ms of processor time. */
  spentMs: number;
}

/** Of the size that headquarters' answer to an empty call has; `cursor` is what the caller looks at. */
const answer = JSON.stringify({ cursor: 0, known: 'x'.repeat(250) });
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};

const server = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    JSON.parse(Buffer.concat(parts).toString());
    response.writeHead(200, headers).end(answer);
  });
});
// Each site calls every few seconds, by its own connection.
server.keepAliveTimeout = 60_000;
const listening = new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));

serveJobs(async (): Promise<EchoSpent> => {
  await listening;
  const { user, system } = process.cpuUsage();
  return { port: (server.address() as AddressInfo).port, spentMs: (user + system) / 1000 };
});
