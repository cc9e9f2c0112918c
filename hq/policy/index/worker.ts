// A thread with an index file, so that neither a search nor a build stops the hub. It reads Postgres itself,
// and carries out its orders one after another.
import { renameSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { load as loadVectorExtension } from 'sqlite-vec';
import { AppError } from '../../../common/http/error.ts';
import { createLogger } from '../../../common/log.ts';
import type { IndexMeans } from '../../../common/policy/index/layout.ts';
import { removeIndex } from '../../../common/policy/index/seal.ts';
import { buildIndex, IndexUnusable, SearchIndex } from '../../../common/policy/index/search-index.ts';
import { Connections } from '../../store/engine/connections.ts';
import { HubIndexSource } from '../store/index-source.ts';
import type { Answers, Envelope, Failure, Order, Reply, ThreadData } from './thread.ts';

const { databaseUrl, logLevel, path } = workerData as ThreadData;
const database = new Connections({
  url: databaseUrl,
  log: createLogger('fieldline-hq', logLevel),
  poolSize: 2,
});
const source = new HubIndexSource(database);

const MEANS: IndexMeans = {
  vectors: loadVectorExtension,
  cacheKib: 65_536,
  batch: 1_000,
  heldBytes: 32 * 1024 * 1024,
};

let index: SearchIndex | null = null;
/** Id of the newest order that has come. */
let arrived = 0;
/**
 * Id of an order: the file has every change that was committed before that order, and those before it, came.
 */
let caughtUp = 0;

function inUse(): SearchIndex {
  if (!index) throw new IndexUnusable('the index file is not open');
  return index;
}

/**
 * Brings the file up to what was committed before the order `id` came. Searches that waited together read the
 * changes once.
 */
async function upTo(id: number): Promise<SearchIndex> {
  const newest = arrived;
  if (id <= caughtUp) return inUse();
  await inUse().catchUp();
  caughtUp = newest;
  return inUse();
}

/**
 * Removes the file in use, and everything beside it, first: its write-ahead log would be taken for that of
 * the new file.
 */
async function replaceBy(built: string): Promise<void> {
  index?.abandon();
  index = null;
  removeIndex(path);
  renameSync(built, path);
  index = await SearchIndex.openBuilt(path, source, MEANS);
  caughtUp = 0;
}

async function carryOut({ id, order }: Envelope): Promise<Answers[Order['kind']]> {
  switch (order.kind) {
    case 'open':
      index?.abandon();
      index = null;
      index = await SearchIndex.open(path, source, MEANS);
      caughtUp = 0;
      return { whole: index.whole };
    case 'search':
      return (await upTo(id)).search(order.question);
    case 'catch_up':
      return { worn: (await upTo(id)).worn };
    case 'replace':
      await replaceBy(order.built);
      return null;
    case 'facts':
      return index?.facts() ?? null;
    case 'build':
      return { changeNo: await buildIndex(path, source, MEANS) };
    case 'close':
      await index?.close();
      await database.close();
      return null;
  }
}

function failureOf(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof IndexUnusable) return { kind: 'unusable', message };
  return { kind: error instanceof AppError ? 'store' : 'failed', message };
}

let before: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (envelope: Envelope) => {
  const { id, order } = envelope;
  arrived = id;
  // `facts` is answered at once, also while the file is far behind and catches up.
  const done = order.kind === 'facts' ? carryOut(envelope) : before.then(() => carryOut(envelope));
  if (order.kind !== 'facts') before = Promise.allSettled([done]);
  const answer = (reply: Reply): void => parentPort?.postMessage(reply);
  done.then(
    (value) => answer({ id, value }),
    (error: unknown) => answer({ id, failure: failureOf(error) }),
  );
});
