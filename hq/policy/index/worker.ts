// The thread that keeps an index file, so that neither a search nor a build stops the hub. It reads Postgres itself.
import { parentPort, workerData } from 'node:worker_threads';
import { AppError } from '../../../common/http/error.ts';
import { createLogger } from '../../../common/log.ts';
import { Connections } from '../../store/connections.ts';
import { createIndexSource } from '../../store/policy-index-source.ts';
import { buildIndex, IndexKeeper, IndexUnusable } from './keeper.ts';
import type { Answers, Envelope, Failure, Order, Reply, ThreadData } from './messages.ts';

const data = workerData as ThreadData;
const database = new Connections({ url: data.databaseUrl, log: createLogger('fieldline-hq', data.logLevel), poolSize: 2 });
const source = createIndexSource(database);
const keeper = new IndexKeeper(data.path, source);

async function carryOut(order: Order): Promise<Answers[Order['kind']]> {
  switch (order.kind) {
    case 'open': return { whole: await keeper.open() };
    case 'search': return keeper.search(order.question);
    case 'catch_up':
      await keeper.catchUp();
      return { worn: keeper.worn };
    case 'replace':
      await keeper.replace(order.built);
      return null;
    case 'facts': return keeper.facts();
    case 'build': return { changeNo: await buildIndex(data.path, source) };
    case 'close':
      await keeper.close();
      await database.close();
      return null;
  }
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof IndexUnusable) return { kind: 'unusable', message };
  return { kind: error instanceof AppError ? 'store' : 'failed', message };
}

parentPort?.on('message', ({ id, order }: Envelope) => {
  const answer = (reply: Reply): void => parentPort?.postMessage(reply);
  carryOut(order).then((value) => answer({ id, value }), (error: unknown) => answer({ id, failure: failureOf(error) }));
});
