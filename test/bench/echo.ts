// The bare server that intake is measured against: node:http, the body read by listeners, a small JSON
// answer.
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveJobs } from './jobs.ts';

const answer = JSON.stringify({
  items: [{ id: 1, idempotencyKey: 'cam-000-00000001', duplicate: false }],
  rejected: [],
  ignored: [],
});
const headers = {
  'Content-Type': 'application/json; charset=utf-8',
  'Content-Length': Buffer.byteLength(answer),
};

const server = http.createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    if (Buffer.concat(parts).length === 0) response.writeHead(400, headers);
    else response.writeHead(201, headers);
    response.end(answer);
  });
});

serveJobs(
  () =>
    new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
    }),
);
