// From the bytes of a Hikvision device to its events, as it is connected to and as it posts: whatever the
// network makes of the bytes, the same events come out.
import http, { type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { readWhole } from '../../common/http/body/body.ts';
import { BodyBudget, SITE_BODIES } from '../../common/http/body/budget.ts';
import type { Session } from '../../site/intake/connection/session.ts';
import { hikvision } from '../../site/intake/hikvision/parse.ts';
import { alertStream } from '../../site/intake/hikvision/stream.ts';
import { messageParts } from '../../site/intake/message/message.ts';
import type { Part, Reading } from '../../site/intake/record.ts';
import { alertXml, jpeg, multipart, type PartText, PICTURE_PART, XML_PART } from '../site/intake/rig.ts';

const RUNS = 20;
const time = '2026-03-04T05:06:07+08:00';
const PICTURES = '<detectionPictureTransType>binary</detectionPictureTransType>';
const json = JSON.stringify({
  eventType: 'linedetection',
  eventState: 'active',
  channelID: 2,
  dateTime: time,
});
const [head = '', tail = ''] = alertXml({ time }).split('Gate');
const DOCUMENTS: Record<string, PartText> = {
  alert: XML_PART(alertXml({ time, region: 1 })),
  'a wrong length': XML_PART(alertXml({ time, region: 2 }), 9),
  'a bare ampersand': XML_PART(alertXml({ time, region: 3, more: '<a>b & c</a>\n' })),
  'GB 2312': {
    headers: ['Content-Type: application/xml'],
    body: Buffer.concat([Buffer.from(head), Buffer.from([0xc3, 0xc5]), Buffer.from(tail)]),
  },
  'no headers': { body: alertXml({ time, region: 4 }) },
  'lines of LF': XML_PART(alertXml({ time, region: 5 }).replaceAll('\r', '')),
  'an end': XML_PART(alertXml({ time, region: 1, state: 'inactive' })),
  heartbeat: XML_PART(alertXml({ time, type: 'videoloss', state: 'inactive' })),
  JSON: { headers: ['Content-Type: application/json'], body: json },
  cut: XML_PART(alertXml({ time }).slice(0, -70)),
};
const picture = (fill: number): PartText => PICTURE_PART(jpeg(500, fill));
const parts = fc
  .array(
    fc.oneof(
      fc.constantFrom(...Object.values(DOCUMENTS)).map((one) => [one]),
      fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 200 })).map(([count, fill]) => [
        XML_PART(
          alertXml({
            time,
            region: 9,
            more: `${PICTURES}<detectionPicturesNumber>${count}</detectionPicturesNumber>\n`,
          }),
        ),
        ...Array.from({ length: count }, (_, n) => picture(fill + n)),
      ]),
    ),
    { minLength: 1, maxLength: 6 },
  )
  .map((groups) => groups.flat());
const form = fc.record({
  eol: fc.constantFrom('\r\n', '\n'),
  doubled: fc.boolean(),
  closed: fc.boolean(),
});
/** Where the bytes are cut: anywhere, or into pieces of a few bytes each, which cuts through everything. */
const cutting = fc.oneof(
  fc.array(fc.nat(), { maxLength: 30 }).map((cuts) => (length: number) => cuts.map((cut) => cut % length)),
  fc.integer({ min: 1, max: 4 }).map((step) => (length: number) => every(length, step)),
);
const every = (length: number, step: number): number[] =>
  Array.from({ length: Math.ceil(length / step) }, (_, index) => index * step);

const pieces = (bytes: Buffer, cuts: readonly number[]): Buffer[] => {
  const at = [...new Set([0, ...cuts, bytes.length])].sort((a, b) => a - b);
  return at.slice(1).map((end, index) => bytes.subarray(at[index], end));
};
const told = (readings: readonly Reading[]): string => JSON.stringify(readings);

/** The other end of a connection, which says its pieces a turn of the loop each. */
class Wire extends Duplex {
  #pieces: readonly Buffer[];
  readonly heard: Buffer[] = [];
  #began = false;

  constructor(said: readonly Buffer[], atOnce: boolean) {
    super();
    this.#pieces = said;
    if (atOnce) void this.#say();
  }

  override _read(): void {
    // What is said is pushed as it is said.
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.heard.push(chunk);
    if (!this.#began) void this.#say();
    done();
  }

  async #say(): Promise<void> {
    this.#began = true;
    for (const piece of this.#pieces) {
      await turn();
      this.push(piece);
    }
    await turn();
    this.push(null);
  }
}

/** The events of a stream that we connect to, by its connector. */
async function pulled(bytes: Buffer, cuts: readonly number[], announced: boolean): Promise<string> {
  const type = announced ? 'multipart/mixed; boundary=boundary' : 'multipart/mixed';
  const answer = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nConnection: close\r\n\r\n`);
  const readings: Reading[] = [];
  let strays = 0;
  const session: Session = {
    device: {
      keyId: 'k',
      kind: 'hikvision',
      tokenHash: '',
      secretRef: null,
      config: { address: 'http://192.168.1.64' },
      createdAt: 0,
      tenantCode: 'acme',
      name: 'gate',
    },
    password: null,
    signal: new AbortController().signal,
    now: () => 0,
    connected: () => undefined,
    alive: () => undefined,
    away: () => undefined,
    hold: () => Promise.resolve(),
    free: () => undefined,
    pictureLost: () => (strays += 1),
    take: ({ parts: message }) => {
      readings.push(...hikvision.parse(message, {}, { headers: {} }));
      return Promise.resolve();
    },
    socket: () => Promise.resolve(new Wire([answer, ...pieces(bytes, cuts)], false) as unknown as Socket),
  };
  await alertStream.connect(session);
  return `${told(readings)} ${strays}`;
}

const bodies = new BodyBudget(SITE_BODIES);
let posted: (message: readonly Part[]) => void = () => undefined;
let failed: (error: unknown) => void = () => undefined;
const server = http.createServer((request: IncomingMessage, response) => {
  const hold = bodies.open('proven', '127.0.0.1', 0);
  readWhole(request, { max: 1 << 22, hold, signed: false, kept: true })
    .then(({ raw }) => posted(messageParts(request.headers['content-type'], raw).parts))
    .catch((error: unknown) => failed(error))
    .finally(() => {
      hold.release();
      response.end();
    });
});

/** The events of a body that is posted. */
async function pushed(bytes: Buffer, cuts: readonly number[], announced: boolean): Promise<string> {
  const type = announced ? 'multipart/form-data; boundary=boundary' : 'application/xml';
  const request =
    `POST /in/x HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${bytes.length}\r\n` +
    'Connection: close\r\n\r\n';
  const message = new Promise<readonly Part[]>((resolve, reject) => ([posted, failed] = [resolve, reject]));
  server.emit('connection', new Wire(pieces(Buffer.concat([Buffer.from(request), bytes]), cuts), true));
  return told(hikvision.parse(await message, {}, { headers: {} }));
}

afterAll(() => server.close());

test.each([
  ['of a stream that we connect to', pulled],
  ['of a body that is posted', pushed],
])('any split of the bytes gives the same events: %s', async (_, read) => {
  await fc.assert(
    fc.asyncProperty(parts, form, cutting, fc.boolean(), async (all, how, cut, announced) => {
      const bytes = multipart(all, how);
      expect(await read(bytes, cut(bytes.length), announced)).toBe(await read(bytes, [], announced));
    }),
    { numRuns: RUNS },
  );
});

test.each([
  ['of a stream that we connect to', pulled],
  ['of a body that is posted', pushed],
])('and every alarm is among them: %s', async (_, read) => {
  const { alert, JSON: text, heartbeat } = DOCUMENTS;
  if (!alert || !text || !heartbeat) throw new Error('no documents');
  const bytes = multipart([alert, text, heartbeat, alert]);
  const said = await read(bytes, every(bytes.length, 7), true);
  expect(said.match(/"what":"occurrence"/g)).toHaveLength(3);
  expect(said.match(/"what":"heartbeat"/g)).toHaveLength(1);
});
