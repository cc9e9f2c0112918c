// A simulated camera: posts signed events to any site and listens for the verdicts that come back.
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSecret, SecretError } from '../../common/secret/secret.ts';
import { readArguments, UsageError } from '../../common/terminal/command.ts';
import { listenForFeedback } from './feedback.ts';
import { PictureSender } from './picture-sender.ts';
import { Poster } from './poster.ts';
import { randomFrom, sceneEvent } from './scenes.ts';

const HELP = `A simulated camera.

  --site-url URL         the site, such as http://127.0.0.1:8080
  --key K --secret S     as "fieldline-site node add" printed them; in place of --secret also
                         --secret-ref env:NAME|file:/path
  --tenant CODE          tenant of the events (that of the key)
  --name NAME            camera code (camera)
  --rate N               events a second, may be a fraction (1)
  --count N              end after so many events; without it, run until a signal
  --seed N               the same seed sees the same things (1)
  --run ID               part of the idempotency keys; the same run posts the same keys again (start time)
  --offline-buffer N     events kept while the site is away, the oldest go first (10000)
  --batch N              events of one request, at most 500 (50)
  --pictures             send a drawn picture with each event
  --listen HOST:PORT     where to listen for verdicts, port 0 for any; "off" not to (127.0.0.1:0)
                         (a site on this machine needs CORE_FEEDBACK_NETWORKS=127.0.0.0/8 to bring them)
  --ledger FILE          append "<key> <event id>" for each acknowledged event
  --json                 one JSON line a happening
  --quiet                only the ledger at the end

Example:
  npm run camera -- --site-url http://127.0.0.1:8080 --key node-1 --secret fln_... --rate 5 --count 100
`;

const { values } = orUsage(() =>
  readArguments(
    process.argv.slice(2),
    {
      'site-url': { type: 'string' },
      tenant: { type: 'string' },
      key: { type: 'string' },
      secret: { type: 'string' },
      'secret-ref': { type: 'string' },
      name: { type: 'string', default: 'camera' },
      rate: { type: 'string', default: '1' },
      count: { type: 'string' },
      seed: { type: 'string', default: '1' },
      run: { type: 'string' },
      'offline-buffer': { type: 'string', default: '10000' },
      batch: { type: 'string', default: '50' },
      listen: { type: 'string', default: '127.0.0.1:0' },
      ledger: { type: 'string' },
      pictures: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    { min: 0, max: 0, usage: 'camera --site-url URL --key K --secret S [options]' },
  ),
);

function usage(message: string): never {
  process.stderr.write(`camera: ${message}\n\n${HELP}`);
  process.exit(2);
}

/** A wrong command line or an unreadable secret is told in words, not as a stack. */
function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError || error instanceof SecretError) return usage(error.message);
    throw error;
  }
}

function numberOf(text: string, option: string, min: number): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < min) usage(`${option} must be a number of at least ${min}`);
  return value;
}

if (values.help) {
  process.stdout.write(HELP);
  process.exit(0);
}
const siteUrl = values['site-url'] ?? usage('--site-url is missing');
const keyId = values.key ?? usage('--key is missing');
const secret =
  values.secret ??
  (values['secret-ref']
    ? orUsage(() => readSecret(values['secret-ref'] ?? '', { env: process.env })).trim()
    : usage('--secret is missing'));
const rate = numberOf(values.rate, '--rate', 0.001);
const count = values.count === undefined ? Infinity : numberOf(values.count, '--count', 1);
const random = randomFrom(numberOf(values.seed, '--seed', 0));
const run = values.run ?? Date.now().toString(36);
const stopping = new AbortController();
let feedbackHeard = 0;

function note(what: string, facts: Record<string, unknown>): void {
  if (values.quiet) return;
  process.stdout.write(
    values.json
      ? `${JSON.stringify({ at: new Date().toISOString(), what, ...facts })}\n`
      : `${values.name}: ${what} ${Object.entries(facts)
          .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
          .join(' ')}\n`,
  );
}

const key = { keyId, secret };
const poster = new Poster({
  siteUrl,
  key,
  buffer: numberOf(values['offline-buffer'], '--offline-buffer', 1),
  batch: Math.min(500, numberOf(values.batch, '--batch', 1)),
  note,
  onStored: (event, id) => {
    const eventKey = event.idempotency_key;
    if (values.ledger) appendFileSync(values.ledger, `${eventKey} ${id}\n`);
    note('stored', { key: eventKey, id });
    pictures?.stored(event, id, stopping.signal);
  },
  onWrongKey: (message) => {
    process.stderr.write(
      `camera: the site does not take the key ${keyId} with this secret (${message}) ` +
        'Look at --key and --secret, or make a key at the site: fieldline-site node add\n',
    );
    stopping.abort();
  },
});
const pictures = values.pictures ? new PictureSender({ siteUrl, key, now: () => poster.now(), note }) : null;
const [host = '127.0.0.1', port = '0'] = values.listen.split(':');
const listener =
  values.listen === 'off'
    ? null
    : await listenForFeedback({ host, port: Number(port), key, now: () => poster.now() }, (message) => {
        feedbackHeard += 1;
        note('verdict heard', {
          alert: message.localAlertNo,
          verdict: message.verdict,
          by: message.by,
          reason: message.reason,
        });
      });

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
const identity = {
  name: values.name,
  run,
  tenant: values.tenant ?? null,
  feedbackUrl: listener?.url ?? null,
};
const started = performance.now();
let flushing: Promise<void> = Promise.resolve();
for (let number = 1; number <= count && !stopping.signal.aborted; number += 1) {
  const event = sceneEvent(identity, number, random, poster.now());
  poster.add(pictures ? await pictures.announce(event) : event);
  if (poster.ledger.waiting === 1 || number % 100 === 0)
    flushing = flushing.then(() => poster.flush(stopping.signal));
  const due = started + (number / rate) * 1000 - performance.now();
  if (due > 1) await sleep(due, undefined, { signal: stopping.signal }).catch(() => stopping.abort());
}
await flushing;
await poster.flush(stopping.signal);
poster.close();
await pictures?.close();
await listener?.close();
const ledger = { camera: values.name, run, ...poster.ledger, pictures: pictures?.sent ?? 0, feedbackHeard };
process.stdout.write(`${JSON.stringify(ledger)}\n`);
process.exitCode = poster.ledger.waiting + poster.ledger.refused + (pictures?.lost ?? 0) === 0 ? 0 : 1;
