// A link that breaks and returns.
import net from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { TransportFault } from '../../../common/http/outbound/transport-messages.ts';
import { hostPortOf, LinkWatch, probeTcp } from '../../../site/uplink/probe.ts';
import { openRig, type Rig } from './rig.ts';

const refused: TransportFault = {
  code: 'nothing_listens',
  params: { host: 'hq:443', system: 'ECONNREFUSED' },
};

describe('watching the link', () => {
  /**
   * A watch that is given its probes' results one by one; the sequence is over when the link counts as
   * returned.
   */
  function scripted() {
    const results: (TransportFault | null)[] = [];
    let wake = (): void => undefined;
    let returned = 0;
    const watch = new LinkWatch({
      probe: () => Promise.resolve(results.shift() ?? null),
      onReturn: () => {
        returned += 1;
      },
      sleep: (_ms, signal) =>
        new Promise((resolve) => {
          const done = (): void => resolve();
          signal.addEventListener('abort', done, { once: true });
          if (results.length > 0) done();
          else wake = done;
        }),
    });
    const probes = async (...given: (TransportFault | null)[]): Promise<number> => {
      watch.start();
      results.push(...given);
      wake();
      for (let turns = 0; turns < 50; turns += 1) await Promise.resolve();
      return returned;
    };
    return { watch, probes };
  }

  test('announces the first connection that opens', async () => {
    const { watch, probes } = scripted();
    expect(await probes(refused, refused)).toBe(0);
    expect(await probes(null)).toBe(1);
    await watch.stop();
  });

  test('a host that takes connections but no requests is announced once, not again and again', async () => {
    const { watch, probes } = scripted();
    expect(await probes(null)).toBe(1);
    expect(await probes(null, null, null, null)).toBe(1);
    expect(await probes(refused, null)).toBe(1);
    expect(await probes(null)).toBe(2);
    await watch.stop(true);
    expect(await probes(null)).toBe(3);
    await watch.stop();
  });

  test('a probe opens a real connection, or says why not', async () => {
    const server = net.createServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const target = { host: '127.0.0.1', port: (server.address() as net.AddressInfo).port };
    const { signal } = new AbortController();
    expect(await probeTcp(target, signal)).toBeNull();
    await new Promise((resolve) => server.close(resolve));
    expect(await probeTcp(target, signal)).toMatchObject({
      code: 'nothing_listens',
      params: { system: 'ECONNREFUSED' },
    });
    expect(await probeTcp(target, AbortSignal.abort())).toMatchObject({ code: 'stopped' });
  });

  test.each([
    ['http://hq.example', 'hq.example', 80],
    ['https://hq.example/base', 'hq.example', 443],
    ['http://[::1]:8090', '::1', 8090],
  ])('%s is probed at the right port', (url, host, port) => {
    expect(hostPortOf(url)).toEqual({ host, port });
  });
});

describe('the sender', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await openRig();
  });
  afterEach(() => rig.close());

  test('sends at once when the link returns, whatever the backoff', async () => {
    await rig.events(3);
    await rig.hub.close();
    rig.sender.link.attempts.failures = 7;
    rig.sender.start();
    await new Promise<void>((resolve) => {
      const failed = rig.sender.link.attempts.failed.bind(rig.sender.link.attempts);
      rig.sender.link.attempts.failed = (...args) => {
        resolve();
        return failed(...args);
      };
    });
    // The test's clock stands still: no backoff can ever end of itself.
    await rig.hub.open();
    await rig.hub.until((received) => received.some(({ positions }) => positions.length === 3));
  });

  test('new events do not break the backoff of a link that is down', async () => {
    await rig.hub.close();
    await rig.round();
    expect(rig.sender.link.state).toBe('never');
    const due = rig.sender.link.attempts.nextAt;
    await rig.events(1);
    rig.sender.notify();
    await rig.sender.round(new AbortController().signal);
    expect(rig.sender.link.attempts).toMatchObject({ failures: 1, nextAt: due });
  });

  test('asks a link that was down by a connection only, before it sends a batch into it', async () => {
    await rig.hub.close();
    await rig.round();
    await rig.round();
    expect(rig.sender.link.attempts).toMatchObject({ failures: 2, lastFault: { code: 'hub_unreachable' } });
    await rig.hub.open();
    await rig.events(1);
    rig.clock.advance(10_000);
    await rig.drain();
    expect(rig.cursor('events')).toBe(1);
    expect(rig.sender.link.state).toBe('up');
    await rig.hub.close();
    await rig.events(1, 'later');
    await rig.round();
    expect(rig.sender.link.state).toBe('down');
    await rig.hub.open();
  });
});
