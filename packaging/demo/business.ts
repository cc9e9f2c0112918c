// A simulated construction business system: serves its datasets to whoever holds the key, while its work goes
// on.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { systemClock } from '../../common/clock.ts';
import { datasetListener } from '../../common/dataset/listener.ts';
import { DatasetService } from '../../common/dataset/service.ts';
import { readSecret } from '../../common/secret/secret.ts';
import { readArguments } from '../../common/terminal/command.ts';
import { BusinessData, type BusinessState } from './business-data.ts';
import { pause } from './pause.ts';
import { randomFrom } from './scenes.ts';

/**
 * Rows need not be held back: all is in memory and written in one step, so that nothing is committed late.
 */
const LAG_MS = 0;

const { values } = readArguments(
  process.argv.slice(2),
  {
    listen: { type: 'string', default: '127.0.0.1:0' },
    key: { type: 'string' },
    'secret-ref': { type: 'string' },
    tenant: { type: 'string', default: 'demo' },
    'state-file': { type: 'string' },
    'change-seconds': { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
  },
  {
    min: 0,
    max: 0,
    usage:
      'business --key K --secret-ref env:NAME [--listen HOST:PORT] [--tenant CODE] [--state-file FILE] ' +
      '[--change-seconds N] [--seed N]',
  },
);

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());

const file = values['state-file'];
const kept =
  file !== undefined && existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as BusinessState) : null;
const data = new BusinessData(randomFrom(Number(values.seed) + (kept?.nextId ?? 0)), systemClock.now(), kept);
const secret = readSecret(values['secret-ref'] ?? '', { env: process.env });
const service = new DatasetService({ datasets: data.served(), clock: systemClock, lagMs: LAG_MS });
const server = http.createServer(
  datasetListener({
    service,
    clock: systemClock,
    key: (keyId) => (keyId === values.key ? { secrets: [secret], tenant: values.tenant } : null),
    onError: (error) => process.stderr.write(`${String(error)}\n`),
  }),
);
const at = values.listen.lastIndexOf(':');
server.listen(Number(values.listen.slice(at + 1)), values.listen.slice(0, at), () =>
  process.stdout.write(`business system at ${JSON.stringify(server.address())}\n`),
);

save();
while (!stopping.signal.aborted) {
  await pause(Number(values['change-seconds']) * 1000, stopping.signal);
  if (stopping.signal.aborted) break;
  const changed = data.tick(systemClock.now());
  save();
  process.stdout.write(`${changed}\n`);
}
server.close();
server.closeAllConnections();

function save(): void {
  if (file === undefined) return;
  writeFileSync(`${file}.new`, JSON.stringify(data.state));
  renameSync(`${file}.new`, file);
}
