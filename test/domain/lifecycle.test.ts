import { describe, expect, test, vi } from 'vitest';
import { Lifecycle } from '../../common/lifecycle.ts';
import { silentLogger } from '../../common/log.ts';

/** A logger whose errors are kept. */
function listening() {
  const log = silentLogger();
  const error = vi.spyOn(log, 'error');
  return { log, steps: () => error.mock.calls.map(([fields]) => (fields as { step: string }).step) };
}

describe('Lifecycle', () => {
  test('stops in reverse order, one after another', async () => {
    const lifecycle = new Lifecycle(silentLogger());
    const order: string[] = [];
    for (const name of ['database', 'loops', 'http']) {
      lifecycle.onStop(name, async () => {
        order.push(`${name} begins`);
        await Promise.resolve();
        order.push(`${name} ends`);
      });
    }
    await lifecycle.stop();
    expect(order).toEqual([
      'http begins',
      'http ends',
      'loops begins',
      'loops ends',
      'database begins',
      'database ends',
    ]);
  });

  test('again it gives the same promise and stops nothing twice', async () => {
    const lifecycle = new Lifecycle(silentLogger());
    const stop = vi.fn();
    lifecycle.onStop('once', stop);
    const first = lifecycle.stop();
    expect(lifecycle.stop()).toBe(first);
    await first;
    expect(lifecycle.stop()).toBe(first);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  test('a step that throws, at once or later, is named and does not keep the others from stopping', async () => {
    const { log, steps } = listening();
    const lifecycle = new Lifecycle(log);
    const last = vi.fn();
    lifecycle.onStop('last', last);
    lifecycle.onStop('rejects', () => Promise.reject(new Error('no')));
    lifecycle.onStop('throws', () => {
      throw new Error('no');
    });
    await lifecycle.stop();
    expect(last).toHaveBeenCalledTimes(1);
    expect(steps()).toEqual(['throws', 'rejects']);
  });

  test('a step that hangs is left behind after its bound, also when it fails later', async () => {
    const { log, steps } = listening();
    const lifecycle = new Lifecycle(log, 5);
    const hanging = Promise.withResolvers<void>();
    const last = vi.fn();
    lifecycle.onStop('last', last);
    lifecycle.onStop('hangs', () => hanging.promise);
    await lifecycle.stop();
    expect(last).toHaveBeenCalledTimes(1);
    expect(steps()).toEqual(['hangs']);
    hanging.reject(new Error('too late to matter'));
    await new Promise(setImmediate);
  });

  test('with nothing to stop it is done', async () => {
    await expect(new Lifecycle(silentLogger()).stop()).resolves.toBeUndefined();
  });
});
