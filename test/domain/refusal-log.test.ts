import type { IncomingMessage } from 'node:http';
import { expect, test, vi } from 'vitest';
import { AppError, storageFull } from '../../common/http/error.ts';
import { RefusalLog } from '../../common/http/refusal-log.ts';
import { silentLogger } from '../../common/log.ts';

test('refusals of one kind are told at once and then once a minute with their number, without a stack', () => {
  const log = silentLogger();
  const warn = vi.spyOn(log, 'warn');
  let now = 0;
  const refusals = new RefusalLog(log, () => now);
  const exchange = {
    request: { method: 'POST' } as IncomingMessage,
    requestId: 'r',
    path: '/api/core/events',
  };
  for (let count = 0; count < 1000; count++) refusals.tell(storageFull(), exchange);
  refusals.tell(new AppError(503, 'store_busy', 'Busy.', { cause: new Error('locked') }), exchange);
  now = 60_000;
  refusals.tell(storageFull(), exchange);
  expect(warn.mock.calls.map(([line]) => line)).toEqual([
    {
      status: 507,
      error: 'storage_full',
      reason: storageFull().message,
      requestId: 'r',
      method: 'POST',
      path: '/api/core/events',
    },
    expect.objectContaining({ error: 'store_busy', err: new Error('locked') }),
    expect.objectContaining({ error: 'storage_full', moreSinceLast: 999 }),
  ]);
});
