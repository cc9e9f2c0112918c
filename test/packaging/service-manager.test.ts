// What systemd is told, and when it is not.
import { expect, test } from 'vitest';
import { Lifecycle } from '../../common/lifecycle.ts';
import { silentLogger } from '../../common/log.ts';
import { Loop } from '../../common/loop.ts';
import { notifyServiceManager, ServiceManager, STUCK_AFTER_MS } from '../../common/service-manager.ts';
import { readSiteConfig } from '../../site/config.ts';

const log = silentLogger();

function manager(
  options: { watchdogMs?: number | null; status?: () => Promise<string>; monotonic?: () => number } = {},
) {
  const said: string[][] = [];
  const made = new ServiceManager({
    address: {
      socket: '/nowhere',
      watchdogMs: options.watchdogMs === undefined ? 90_000 : options.watchdogMs,
    },
    log,
    status: options.status ?? (() => Promise.resolve('storing')),
    notify: (assignments) => Promise.resolve(void said.push([...assignments])),
    ...(options.monotonic ? { monotonic: options.monotonic } : {}),
  });
  return { made, said };
}

test('ready with its status, then alive, a changed status once, and stopping', async () => {
  let line = 'storing; 0 wait';
  const { made, said } = manager({ status: () => Promise.resolve(line) });
  await made.ready();
  await made.round();
  line = 'storing; 7 wait';
  await made.round();
  await made.round();
  await made.stop();
  expect(said[0]).toEqual(['READY=1', 'STATUS=storing; 0 wait']);
  expect(said.flat().filter((one) => one === 'STATUS=storing; 7 wait')).toHaveLength(1);
  expect(said.at(-1)).toEqual(['STOPPING=1', 'STATUS=stopping']);
  expect(said.slice(1, -1).every((assignments) => assignments[0] === 'WATCHDOG=1')).toBe(true);
});

test('the watchdog is not fed while a round hangs, and is again when it ends', async () => {
  let end = (): void => undefined;
  const hung = new Loop({
    name: 'uplink',
    interval: 10,
    log,
    round: () => new Promise<void>((resolve) => (end = resolve)),
  });
  hung.start();
  const { made, said } = manager({ monotonic: () => performance.now() + STUCK_AFTER_MS + 1 });
  await made.round();
  expect(said).toEqual([['STATUS=these hang and the watchdog is not fed: uplink']]);
  const stopped = hung.stop();
  end();
  await stopped;
  await made.round();
  expect(said.at(-1)).toContain('WATCHDOG=1');
});

test('without a watchdog nothing but the status is said', async () => {
  const { made, said } = manager({ watchdogMs: null });
  await made.round();
  expect(said).toEqual([['STATUS=storing']]);
});

test(
  'a process that systemd did not start tells nobody, and one that it did is not ready before the store ' +
    'takes a write',
  async () => {
    expect(readSiteConfig({ CORE_INSTANCE: 's' }).serviceManager).toBeNull();
    expect(
      readSiteConfig({ CORE_INSTANCE: 's', NOTIFY_SOCKET: '/run/systemd/notify', WATCHDOG_USEC: '90000000' })
        .serviceManager,
    ).toEqual({ socket: '/run/systemd/notify', watchdogMs: 90_000 });
    const parts = { lifecycle: new Lifecycle(log), log, status: () => Promise.resolve('') };
    await notifyServiceManager(
      { serviceManager: null },
      { store: { probe: () => Promise.reject(new Error('not asked')) }, ...parts },
    );
    await expect(
      notifyServiceManager(
        { serviceManager: { socket: '/nowhere', watchdogMs: null } },
        { store: { probe: () => Promise.reject(new Error('read-only')) }, ...parts },
      ),
    ).rejects.toThrow('read-only');
  },
);
