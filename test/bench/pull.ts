// A consumer that reads everything: since with limit=1000, then ack, page after page.
import { type Bench, STORED } from './bench.ts';
import type { PullResult } from './load.ts';
import { ADMIN } from './program.ts';
import { atLeast, median, type Row } from './table.ts';

const CONSUMERS = 3;
const PAGE = 1_000;

export async function measurePull(bench: Bench): Promise<Row[]> {
  const program = await bench.start({ program: 'site', dir: await bench.storedCopy('pull') });
  const rates: number[] = [];
  for (let index = 0; index < CONSUMERS; index += 1) {
    const consumer = `bench-${index}`;
    await program.call('POST', '/api/core/events/subscribe', { consumer, start_cursor: 0 });
    const { events, seconds } = await bench.load<PullResult>({
      kind: 'pull',
      port: program.port,
      consumer,
      headers: ADMIN,
      limit: PAGE,
    });
    if (events !== STORED) throw new Error(`a consumer read up to event ${events} of ${STORED}`);
    rates.push(events / seconds);
  }
  await program.stop();
  return [atLeast(`pull in pages of ${PAGE}, each acknowledged`, median(rates), 150_000, 'events')];
}
