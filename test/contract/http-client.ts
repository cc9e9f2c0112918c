// The contract of outgoing HTTP, against real peers; it runs on both programs' clients.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  AddressRefused,
  type Networks,
  outerNetworks,
  parseNetworks,
  publicNetworks,
  type Resolve,
} from '../../common/http/outbound/address.ts';
import {
  type CreateHttpClient,
  type HttpClient,
  type HttpClientOptions,
  leadsTo,
  type OutgoingRequest,
  TransportError,
} from '../../common/http/outbound/client.ts';
import { HttpPeer } from '../support/http-peer.ts';
import { OddReceiver } from '../support/odd-receiver.ts';
import { freePort } from '../support/process.ts';

const pem = (name: string): string =>
  readFileSync(path.resolve(import.meta.dirname, '../support/tls', `${name}.pem`), 'utf8');
const UP_AGAIN = '; check the address and port, or wait until it is up again';
const LOOPBACK = outerNetworks(parseNetworks(['127.0.0.0/8']));
const unresolved =
  (code: string): Resolve =>
  (host, _options, callback) =>
    callback(Object.assign(new Error(`getaddrinfo ${code} ${host}`), { code }), []);
const family = (address: string): number => (address.includes(':') ? 6 : 4);

/** Answers with the next list of addresses at each question, and with the last from then on. */
function resolving(...answers: string[][]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = (host, _options, callback) => {
    asked.push(host);
    callback(
      null,
      (answers[Math.min(asked.length, answers.length) - 1] ?? []).map((address) => ({
        address,
        family: family(address),
      })),
    );
  };
  return { resolve, asked };
}

export function httpClientContract(name: string, create: CreateHttpClient): void {
  describe(`outgoing HTTP by ${name}`, () => {
    let peer: HttpPeer;
    let odd: OddReceiver;
    const clients: HttpClient[] = [];
    const servers: (http.Server | https.Server | net.Server)[] = [];
    const sockets = new Set<net.Socket>();
    beforeEach(async () => {
      peer = await new HttpPeer().open();
      odd = await new OddReceiver().open();
    });
    afterEach(async () => {
      for (const client of clients.splice(0)) client.close();
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await Promise.all([
        peer.close(),
        odd.close(),
        ...servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))),
      ]);
    });

    const client = (networks: Networks = null, options: HttpClientOptions = {}): HttpClient => {
      const made = create(networks, options);
      clients.push(made);
      return made;
    };
    /** Its own port on loopback, under another host or scheme where a test needs one. */
    async function listening<S extends http.Server | https.Server | net.Server>(server: S): Promise<number> {
      servers.push(server);
      server.on('connection', (socket: net.Socket) => {
        sockets.add(socket);
        // What a client that has had enough does to its connection is its right.
        socket.on('error', () => socket.destroy());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return (server.address() as AddressInfo).port;
    }
    const ask = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
      method: 'GET',
      url,
      timeoutMs: 20_000,
      ...more,
    });
    async function failure(sent: Promise<unknown>): Promise<TransportError> {
      const error = await sent.then(
        () => new Error('an answer came'),
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof TransportError)) throw error;
      return error;
    }

    describe('an answer', () => {
      test('comes whole, whatever its status, and the request arrives as it was given', async () => {
        peer.respond = ({ target }) => ({
          status: Number(target.slice(1)),
          headers: { 'X-Told': 'yes' },
          body: 'grüße',
        });
        const one = client();
        for (const status of [200, 404, 503]) {
          const answer = await one.send(
            ask(`${peer.url}/${status}`, {
              method: 'POST',
              headers: { 'Content-Type': 'text/plain', 'x-a': 'b' },
              body: 'höre',
            }),
          );
          expect([answer.status, answer.headers['x-told'], answer.body.toString()]).toEqual([
            status,
            'yes',
            'grüße',
          ]);
        }
        expect(peer.heard[0]).toMatchObject({
          method: 'POST',
          target: '/200',
          body: Buffer.from('höre'),
          headers: {
            'content-type': 'text/plain',
            'x-a': 'b',
            'content-length': '5',
            host: new URL(peer.url).host,
          },
        });
        expect(peer.heard[0]?.headers).not.toHaveProperty('transfer-encoding');
      });
      test('to a request without a body comes too', async () => {
        const one = client();
        for (const method of ['GET', 'POST', 'PUT'] as const)
          await one.send(ask(`${peer.url}/a?b=c%20d`, { method }));
        expect(peer.heard.map(({ method, target, body }) => [method, target, body.length])).toEqual([
          ['GET', '/a?b=c%20d', 0],
          ['POST', '/a?b=c%20d', 0],
          ['PUT', '/a?b=c%20d', 0],
        ]);
      });
      test('of a redirect is an answer; nobody goes there', async () => {
        peer.respond = () => ({ status: 307, headers: { location: '/elsewhere' } });
        const answer = await client().send(ask(peer.url, { method: 'POST', body: 'x' }));
        expect([answer.status, leadsTo(answer.headers), peer.heard.length]).toEqual([
          307,
          ' (/elsewhere)',
          1,
        ]);
      });
      test('with a header twice counts with the first', async () => {
        const port = await listening(
          http.createServer((_request, response) =>
            response.setHeader('Location', ['/one', '/two']).setHeader('X-Many', ['1', '2']).end(),
          ),
        );
        const { headers } = await client().send(ask(`http://127.0.0.1:${port}`));
        expect([headers.location, headers['x-many']]).toEqual(['/one', '1']);
      });
      test('to an address with name and password had them as Basic, unless the request has its own', async () => {
        const url = peer.url.replace('//', '//me:p%40ss@');
        await client().send(ask(url));
        await client().send(ask(url, { headers: { Authorization: 'Bearer t' } }));
        expect(peer.heard.map(({ headers }) => headers.authorization)).toEqual([
          `Basic ${Buffer.from('me:p@ss').toString('base64')}`,
          'Bearer t',
        ]);
      });
    });

    describe('the size of an answer', () => {
      test('is bounded, its status known', async () => {
        peer.respond = () => ({ status: 202, body: 'x'.repeat(101) });
        const one = client();
        expect((await one.send(ask(peer.url, { maxAnswer: 101 }))).body.length).toBe(101);
        expect(await failure(one.send(ask(peer.url, { maxAnswer: 100 })))).toMatchObject({
          code: 'answer_too_large',
          status: 202,
          message: 'the answer is larger than 100 bytes; check the address',
        });
      });
      test('is bounded to 1 MiB where nobody says, of a body without end too', async () => {
        expect(await failure(client().send(ask(`${odd.url}/big`)))).toMatchObject({
          code: 'answer_too_large',
          status: 200,
        });
        expect(odd.sent).toBeLessThan(64 * 1024 ** 2);
      });
      test('can be cut instead, of a body without end too', async () => {
        const one = client(null, { keepAlive: false });
        const answer = await one.send(ask(`${odd.url}/big`, { keepAnswer: 10 }));
        expect([answer.status, answer.body.toString()]).toEqual([200, 'xxxxxxxxxx']);
        expect((await one.send(ask(`${odd.url}/200`, { keepAnswer: 10 }))).body.toString()).toBe('ok');
        expect(odd.sent).toBeLessThan(64 * 1024 ** 2);
      });
      // The peer ends the first by itself; the second has no end but that of the time.
      test.each([
        ['cut', 60_000, /^half$/],
        ['drip', 2_000, /^\.+$/],
      ])('of a body that does not end well (%s) is what came of it', async (how, timeoutMs, came) => {
        const one = client(null, { keepAlive: false });
        const answer = await one.send(ask(`${odd.url}/${how}`, { keepAnswer: 4096, timeoutMs }));
        expect([answer.status, answer.body.toString()]).toEqual([200, expect.stringMatching(came)]);
      });
      test('of headers is bounded', async () => {
        const port = await listening(
          net.createServer((socket) =>
            socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\nContent-Length: 0\r\n\r\n`),
          ),
        );
        expect(await failure(client().send(ask(`http://127.0.0.1:${port}`)))).toMatchObject({
          code: 'HPE_HEADER_OVERFLOW',
          message: `the headers of 127.0.0.1:${port} are longer than is read (HPE_HEADER_OVERFLOW); check the address`,
        });
      });
    });

    describe('the bound in time', () => {
      const late = {
        code: 'timeout',
        message: 'no answer within 150 ms; check the network and the firewall',
      };
      test.each(['hang', 'drip'])('covers a peer that does %s', async (how) => {
        expect(await failure(client().send(ask(`${odd.url}/${how}`, { timeoutMs: 150 })))).toMatchObject(
          late,
        );
      });
      test('covers headers that drip', async () => {
        const port = await listening(
          net.createServer((socket) => {
            socket.write('HTTP/1.1 200 OK\r\n');
            const drip = setInterval(() => socket.write('X-A: b\r\n'), 20);
            socket.on('close', () => clearInterval(drip));
          }),
        );
        expect(
          await failure(client().send(ask(`http://127.0.0.1:${port}`, { timeoutMs: 150 }))),
        ).toMatchObject(late);
      });
      test('covers a handshake that nobody answers', async () => {
        const port = await listening(net.createServer());
        expect(
          await failure(client().send(ask(`https://127.0.0.1:${port}`, { timeoutMs: 150 }))),
        ).toMatchObject(late);
      });
      test('covers a name that nobody resolves, and waiting for a connection', async () => {
        expect(
          await failure(
            client(null, { resolve: () => undefined }).send(ask('http://slow.test', { timeoutMs: 150 })),
          ),
        ).toMatchObject(late);
        const one = client(null, { maxSockets: 1 });
        const first = one.send(ask(`${odd.url}/hang`, { timeoutMs: 20_000 }));
        const held = failure(first);
        expect(await failure(one.send(ask(`${odd.url}/200`, { timeoutMs: 150 })))).toMatchObject(late);
        odd.cut('/hang');
        expect(await held).toMatchObject({ code: 'ECONNRESET' });
        expect(odd.to('/200')).toEqual([]);
        expect((await one.send(ask(`${odd.url}/200`))).status).toBe(200);
      });
      test('covers a body that is sent and not taken', async () => {
        const port = await listening(net.createServer((socket) => socket.pause()));
        const body = {
          size: 64 * 1024 ** 2,
          open: () =>
            Readable.from(
              (function* parts() {
                for (let n = 0; n < 1024; n += 1) yield Buffer.alloc(64 * 1024);
              })(),
            ),
        };
        expect(
          await failure(
            client().send(ask(`http://127.0.0.1:${port}`, { method: 'PUT', body, timeoutMs: 150 })),
          ),
        ).toMatchObject(late);
      });
    });

    describe('a request that is given up', () => {
      test('before it begins, or while it waits, ends at once', async () => {
        const one = client();
        expect(await failure(one.send(ask(`${odd.url}/200`, { signal: AbortSignal.abort() })))).toMatchObject(
          { code: 'ABORT_ERR', message: 'The operation was aborted' },
        );
        expect(odd.received).toEqual([]);
        const stop = new AbortController();
        peer.respond = () => null;
        const sent = failure(one.send(ask(peer.url, { signal: stop.signal })));
        await peer.hears(1);
        stop.abort(new Error('enough'));
        expect(await sent).toMatchObject({ code: 'ABORT_ERR' });
      });
      test('in the middle of the answer ends at once, and the connection with it', async () => {
        const stop = new AbortController();
        const closed: Promise<void>[] = [];
        const port = await listening(
          net.createServer((socket) => {
            closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
            socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => stop.abort());
          }),
        );
        expect(
          await failure(client().send(ask(`http://127.0.0.1:${port}`, { signal: stop.signal }))),
        ).toMatchObject({ code: 'ABORT_ERR' });
        await Promise.all(closed);
      });
      test('by closing the client fails', async () => {
        peer.respond = () => null;
        const one = client();
        const sent = failure(one.send(ask(peer.url)));
        await peer.hears(1);
        one.close();
        expect(await sent).toBeInstanceOf(TransportError);
      });
    });

    describe('a peer that', () => {
      test.each([
        ['cut', /^127\.0\.0\.1:\d+ broke off its answer \(ECONNRESET\); check the network$/],
        [
          'reset',
          /^127\.0\.0\.1:\d+ closed the connection before it answered \(ECONNRESET\); check the network, and whether .*https:\/\//,
        ],
        ['noise', /^127\.0\.0\.1:\d+ does not answer in HTTP \(HPE_\w+\); check the address and port$/],
      ])('does %s is named', async (how, message) => {
        expect((await failure(client().send(ask(`${odd.url}/${how}`)))).message).toMatch(message);
      });
      test('hangs up without a word is named', async () => {
        const port = await listening(net.createServer((socket) => socket.once('data', () => socket.end())));
        expect(await failure(client().send(ask(`http://127.0.0.1:${port}`)))).toMatchObject({
          code: 'ECONNRESET',
          message: expect.stringContaining('whether the address should begin with https://') as string,
        });
      });
      test('is not there is named', async () => {
        const port = await freePort();
        expect(await failure(client().send(ask(`http://127.0.0.1:${port}/`)))).toMatchObject({
          code: 'ECONNREFUSED',
          message: `nothing listens at 127.0.0.1:${port} (ECONNREFUSED)${UP_AGAIN}`,
        });
      });
      test('is not there at any of its addresses is named', async () => {
        const port = await freePort();
        const { resolve } = resolving(['127.0.0.1', '127.0.0.2']);
        expect(await failure(client(null, { resolve }).send(ask(`http://two.test:${port}/`)))).toMatchObject({
          code: 'ECONNREFUSED',
          message: `nothing listens at two.test:${port} (ECONNREFUSED)${UP_AGAIN}`,
        });
      });
      test.each([
        [
          'ENOTFOUND',
          'the name of erp.test is not known (ENOTFOUND); check the address, the network and the DNS',
        ],
        [
          'EAI_AGAIN',
          'the name of erp.test could not be looked up (EAI_AGAIN); check the network and the DNS',
        ],
      ])('has a name that ends with %s is named', async (code, message) => {
        expect(
          await failure(client(null, { resolve: unresolved(code) }).send(ask('https://erp.test/'))),
        ).toMatchObject({ code, message });
      });
      test('speaks plain HTTP at https:// is named', async () => {
        const port = await listening(http.createServer());
        expect((await failure(client().send(ask(`https://127.0.0.1:${port}/`)))).message).toBe(
          `127.0.0.1:${port} does not speak TLS, as https:// asks for (EPROTO); check the port, or write the address with http://`,
        );
      });
      test('has a certificate of an issuer that is not known is named', async () => {
        const port = await listening(https.createServer({ cert: pem('receiver'), key: pem('receiver-key') }));
        expect((await failure(client().send(ask(`https://127.0.0.1:${port}/`)))).message).toMatch(
          /^the certificate of 127\.0\.0\.1:\d+ is of an issuer that is not known here \(\w+\); give the issuer's certificate: at a site with fieldline-site setup --ca FILE, otherwise in NODE_EXTRA_CA_CERTS$/,
        );
      });
    });

    test.each([
      ['hq.test', 'receiver', 'authority', '127.0.0.1, localhost'],
      ['127.0.0.1', 'self-signed', 'self-signed', 'CN=broker'],
    ])('a certificate for other names than %s is named with them', async (host, shown, authority, names) => {
      const port = await listening(https.createServer({ cert: pem(shown), key: pem('receiver-key') }));
      const { resolve } = resolving(['127.0.0.1']);
      const trusted = getCACertificates('default');
      setDefaultCACertificates([...trusted, pem(authority)]);
      const said = await failure(client(null, { resolve }).send(ask(`https://${host}:${port}/`)));
      setDefaultCACertificates(trusted);
      expect(said.message).toContain(
        `the certificate of ${host}:${port} is for other names (ERR_TLS_CERT_ALTNAME_INVALID): ${names}; `,
      );
    });

    describe('the networks', () => {
      const url = (host: string): string => peer.url.replace('127.0.0.1', host);
      test.each([
        '127.0.0.1',
        '127.1',
        '0x7f000001',
        '[::1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[64:ff9b::7f00:1]',
      ])('are judged for %s as it stands', async (host) => {
        const error = await failure(client(publicNetworks([])).send(ask(url(host))));
        expect([error.code, error.cause instanceof AddressRefused, peer.heard.length]).toEqual([
          'address_refused',
          true,
          0,
        ]);
      });
      test.each([
        [['127.0.0.1']],
        [['192.0.2.1', '127.0.0.1']],
        [['::ffff:127.0.0.1']],
        [['::ffff:169.254.169.254']],
        [['fe80::1']],
      ])('are judged for a name that is at %s', async (addresses) => {
        const { resolve, asked } = resolving(addresses);
        const error = await failure(client(outerNetworks(null), { resolve }).send(ask(url('camera.test'))));
        expect([error.code, error.cause instanceof AddressRefused, asked, peer.heard.length]).toEqual([
          'address_refused',
          true,
          ['camera.test'],
          0,
        ]);
      });
      test('are judged anew for each connection, so that a name that moves gains nothing', async () => {
        const { resolve, asked } = resolving(['127.0.0.1'], ['169.254.169.254']);
        const one = client(LOOPBACK, { resolve, keepAlive: false });
        expect((await one.send(ask(url('moving.test')))).status).toBe(200);
        expect((await failure(one.send(ask(url('moving.test'))))).code).toBe('address_refused');
        expect([asked.length, peer.heard.length]).toEqual([2, 1]);
      });
      test('let through what is listed', async () => {
        expect((await client(LOOPBACK).send(ask(peer.url))).status).toBe(200);
        expect(
          (
            await client(LOOPBACK, { resolve: resolving(['127.0.0.1']).resolve }).send(
              ask(url('camera.test')),
            )
          ).status,
        ).toBe(200);
      });
    });

    describe('a connection', () => {
      /**
       * Counts connections; the n-th answer ends its connection where `ends` says so, without having
       * announced it.
       */
      async function counting(
        ends: (answer: number) => boolean,
      ): Promise<{ url: string; connections: () => number; ended: () => Promise<void> }> {
        let [connections, answers] = [0, 0];
        const closed: Promise<void>[] = [];
        const port = await listening(
          net.createServer((socket) => {
            connections += 1;
            closed.push(new Promise((resolve) => socket.on('close', () => resolve())));
            socket.on('data', () => {
              answers += 1;
              socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
              if (ends(answers)) socket.end();
            });
          }),
        );
        return {
          url: `http://127.0.0.1:${port}`,
          connections: () => connections,
          ended: async () => void (await Promise.all(closed)),
        };
      }
      test('is kept for the next request', async () => {
        const server = await counting(() => false);
        const one = client();
        for (let n = 0; n < 3; n += 1) {
          await one.send(ask(server.url));
          await turn();
        }
        expect(server.connections()).toBe(1);
      });
      test('that the peer closed meanwhile is replaced', async () => {
        const server = await counting((answer) => answer % 2 === 1);
        const one = client();
        for (let n = 0; n < 3; n += 1) {
          expect((await one.send(ask(server.url, { method: 'POST', body: 'x' }))).status).toBe(200);
          if (n % 2 === 0) await server.ended();
          await turn();
        }
        expect(server.connections()).toBe(2);
      });
      test('is not kept where the client keeps none, and the peer is told', async () => {
        const one = client(null, { keepAlive: false });
        for (let n = 0; n < 2; n += 1) await one.send(ask(peer.url));
        expect(peer.heard.map(({ headers }) => headers.connection)).toEqual(['close', 'close']);
      });
      test.each([
        [2, 2],
        [Infinity, 5],
      ])('with at most %d at once, %d of 5 are under way', async (maxSockets, most) => {
        const one = client(null, { maxSockets, keepAlive: false });
        const sent = Array.from({ length: 5 }, () => failure(one.send(ask(`${odd.url}/hang`))));
        while (odd.to('/hang').length < 5) {
          await turn();
          if (odd.to('/hang').length % most === 0) odd.cut('/hang');
        }
        odd.cut('/hang');
        await Promise.all(sent);
        expect(odd.mostAtOnce('/hang')).toBe(most);
      });
    });

    describe('a body that is read while it is sent', () => {
      const parts = (count: number, bytes: number): Readable =>
        Readable.from(Array.from({ length: count }, () => Buffer.alloc(bytes, 'e')));
      test('arrives whole, with its length', async () => {
        const source = parts(50, 64 * 1024);
        await client().send(
          ask(peer.url, { method: 'PUT', body: { size: 50 * 64 * 1024, open: () => source } }),
        );
        expect(peer.heard[0]?.body.equals(Buffer.alloc(50 * 64 * 1024, 'e'))).toBe(true);
        expect([
          peer.heard[0]?.headers['content-length'],
          peer.heard[0]?.headers['transfer-encoding'],
          source.destroyed,
        ]).toEqual([String(50 * 64 * 1024), undefined, true]);
      });
      test('that cannot be read on fails with the reason', async () => {
        const source = new Readable({
          read() {
            this.destroy(Object.assign(new Error('the disk is gone'), { code: 'EIO' }));
          },
        });
        expect(
          await failure(
            client().send(ask(peer.url, { method: 'PUT', body: { size: 10, open: () => source } })),
          ),
        ).toMatchObject({ code: 'EIO', message: 'the disk is gone' });
        expect(
          await failure(
            client().send(
              ask(peer.url, {
                method: 'PUT',
                body: {
                  size: 10,
                  open: () => {
                    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
                  },
                },
              }),
            ),
          ),
        ).toMatchObject({ code: 'ENOENT' });
      });
      test.each([
        [1, 'shorter'],
        [3, 'longer'],
      ])('of %d parts, %s than told, is not taken for whole', async (count) => {
        const sent = client().send(
          ask(peer.url, { method: 'PUT', body: { size: 20, open: () => parts(count, 10) } }),
        );
        expect(await failure(sent)).toMatchObject({
          code: 'body_not_as_told',
          message: 'the content to be sent does not have the announced 20 bytes',
        });
        expect(peer.heard.filter(({ body }) => body.length !== 20)).toEqual([]);
      });
      test('is closed when the peer has gone, and when the request is given up before it has a connection', async () => {
        const [first, second] = [parts(500, 64 * 1024), parts(2, 10)];
        const port = await listening(
          net.createServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
        );
        await failure(
          client().send(
            ask(`http://127.0.0.1:${port}`, {
              method: 'PUT',
              body: { size: 500 * 64 * 1024, open: () => first },
            }),
          ),
        );
        const third = parts(2, 10);
        await failure(
          client(null, { resolve: () => undefined }).send(
            ask('http://slow.test', { method: 'PUT', timeoutMs: 50, body: { size: 20, open: () => second } }),
          ),
        );
        const one = client(null, { maxSockets: 1 });
        const held = failure(one.send(ask(`${odd.url}/hang`)));
        await failure(
          one.send(
            ask(`${odd.url}/200`, { method: 'PUT', timeoutMs: 50, body: { size: 20, open: () => third } }),
          ),
        );
        one.close();
        await held;
        expect([first.destroyed, second.destroyed, third.destroyed]).toEqual([true, true, true]);
      });
      test('is answered before it is over', async () => {
        const port = await listening(
          http.createServer(
            (_request, response) => void response.writeHead(413, { connection: 'close' }).end('too much'),
          ),
        );
        const answer = await client().send(
          ask(`http://127.0.0.1:${port}`, {
            method: 'PUT',
            body: { size: 4 * 64 * 1024, open: () => parts(4, 64 * 1024) },
          }),
        );
        expect([answer.status, answer.body.toString()]).toEqual([413, 'too much']);
      });
    });
  });
}
