// Which files headquarters reads by itself: one reader for each, and none for ever.
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AppError } from '../../../common/http/error.ts';
import { silentLogger } from '../../../common/log.ts';
import type { DocumentAnswer, readDocument } from '../../../hq/policy/ingest/document.ts';
import { PolicyReader } from '../../../hq/policy/reading/reader.ts';
import { NEVER_UNTIL } from '../../../hq/policy/record.ts';
import { openPolicyRig, type PolicyRig } from './search-rig.ts';

const MINUTE = 60_000;
const SHA = 'a'.repeat(64);

let rig: PolicyRig;
beforeAll(async () => {
  rig = await openPolicyRig();
});
afterAll(() => rig.close());
beforeEach(() => rig.client.query('delete from kb_readings; delete from kb_chunks; delete from kb_docs;'));

const stamp = () => ({ now: rig.clock.now(), newId: () => crypto.randomUUID() });
const management = { tenantCode: 'acme', maxRank: 3 };

/** A file whose original has come. */
async function uploaded(srcSystem = 'console'): Promise<number> {
  const registered = await rig.store.policy.documents.register(
    {
      ...{
        tenantCode: 'acme',
        srcSystem,
        srcKey: crypto.randomUUID(),
        title: '动火',
        docNo: null,
        version: '1',
      },
      ...{ effectiveDate: null, expiryDate: null, validFrom: 0, validUntil: NEVER_UNTIL, level: null },
      ...{ fileName: 'a.txt', contentType: null, size: 1, sha256: SHA, supersedes: null },
      ...{ createdBy: 'li', actor: 'li' },
    },
    stamp(),
  );
  if (registered.kind !== 'registered') throw new Error(registered.kind);
  const docId = registered.document.id;
  await rig.store.policy.documents.stored({ docId, tenantCode: 'acme', sha256: SHA, actor: 'li' }, stamp());
  return docId;
}
/** And that a person wants to be read now. */
async function asked(srcSystem?: string): Promise<number> {
  const docId = await uploaded(srcSystem);
  await rig.store.policy.readings.ask({ tenantCode: 'acme', docId, actor: 'li' }, stamp());
  return docId;
}

function reader(
  read: typeof readDocument,
  give = () => Promise.resolve(Readable.from([Buffer.from('x')])),
  check = () => Promise.resolve(),
) {
  const { clock, store } = rig;
  return new PolicyReader({
    ...{ readings: store.policy.readings, transfer: { give, check }, read, log: silentLogger() },
    clock: Object.assign(Object.create(clock) as typeof clock, { newId: () => crypto.randomUUID() }),
  });
}
const reads =
  (...paths: string[]): typeof readDocument =>
  () =>
    Promise.resolve({
      clauses: paths.map((clausePath) => ({ clausePath, page: 1, text: `${clausePath} 动火前办证。` })),
      notes: [{ code: 'silent', params: { pages: '2' } }],
    });
const never = new AbortController().signal;
const document = async (docId: number) => rig.store.policy.documents.get(docId, management);
const reading = async (docId: number) =>
  (await rig.store.policy.readings.list({ tenantCode: 'acme', docId }, null, 1))[0]?.reading;

test('what is read is a draft for review, with its notes and the numbers that are missing', async () => {
  const docId = await asked();
  const own = reader(reads('第一条', '第二条', '第三条', '第五条', '第六条'));
  expect(await own.round(never)).toEqual({ again: true });
  expect(await own.round(never)).toEqual({ again: false });
  expect(await document(docId)).toMatchObject({
    status: 'review',
    chunkCount: 5,
    missingNumbers: ['第四条'],
    parseNote: expect.stringContaining('empty or pictures: 2') as string,
  });
  expect(await reading(docId)).toMatchObject({ state: 'read', notes: [{ code: 'silent' }], lease: null });
  expect(own.counts).toMatchObject({ read: 1, failed: 0 });
});

test('numbers that are missing keep a file out of force until somebody says that they do in the original', async () => {
  const docId = await asked();
  await reader(reads('4.1', '4.3')).round(never);
  const { documents } = rig.store.policy;
  const { chunksSha256 } = (await document(docId)) ?? {};
  const state = (acceptMissing: boolean) =>
    documents.setState(
      {
        ...{ docId, tenantCode: 'acme', to: 'effective', reason: null, by: 'li', actor: 'li', acceptMissing },
        expectChunksSha256: chunksSha256 ?? null,
      },
      stamp(),
    );
  expect(await state(false)).toMatchObject({
    kind: 'numbers_missing',
    document: { missingNumbers: ['4.2'] },
  });
  expect(await state(true)).toMatchObject({ kind: 'changed', document: { status: 'effective' } });
  const { rows } = await rig.client.query(
    `select after from audit where action = 'kb.document.effective' and subject = $1`,
    [`kb_doc:${docId}`],
  );
  expect(rows).toEqual([{ after: expect.stringContaining('"acceptedMissing":["4.2"]') as string }]);
});

test('of a source that needs no review, what was read whole is in force, and what has gaps is reviewed', async () => {
  const [whole, gaps] = [await asked('hse_policy_sync'), await asked('hse_policy_sync')];
  await reader(reads('4.1', '4.2')).round(never);
  await reader(reads('4.1', '4.3')).round(never);
  expect(await document(whole)).toMatchObject({ status: 'effective' });
  expect(await document(gaps)).toMatchObject({ status: 'review', missingNumbers: ['4.2'] });
});

test('two readers read a file once, and one that is gone is followed by another', async () => {
  const docId = await asked();
  const { promise, resolve } = Promise.withResolvers<DocumentAnswer>();
  const begun = Promise.withResolvers<void>();
  const slow = reader((_, options) => {
    options?.told?.({ stage: 'recognition', page: 2, pages: 9 });
    begun.resolve();
    return promise;
  });
  const first = slow.round(never);
  await begun.promise;
  const other = reader(reads('第一条'));
  expect(await other.round(never)).toEqual({ again: false });
  // Its hub does not say any more that it is at it.
  rig.clock.advance(MINUTE);
  await rig.client.query('update kb_readings set leased_until = 0');
  expect(await other.round(never)).toEqual({ again: true });
  expect(await reading(docId)).toMatchObject({ state: 'read', attempts: 2 });
  resolve({ clauses: [{ clausePath: null, page: null, text: 'of the one that was gone' }], notes: [] });
  await first;
  expect(await rig.store.policy.documents.chunks(docId, management)).toMatchObject([
    { clausePath: '第一条' },
  ]);
  expect(slow.counts.read).toBe(0);
});

test('how far it is stands in the list while it is read', async () => {
  const docId = await asked();
  const { promise, resolve } = Promise.withResolvers<DocumentAnswer>();
  const slow = reader((_, options) => {
    options?.told?.({ stage: 'recognition', page: 2, pages: 9 });
    return promise;
  });
  const round = slow.round(never);
  await expect
    .poll(() => reading(docId), { timeout: 20_000 })
    .toMatchObject({ state: 'reading', stage: 'recognition', page: 2, pages: 9, attempts: 1 });
  resolve({ unreadable: { code: 'empty', params: {} } });
  await round;
  expect(await document(docId)).toMatchObject({ status: 'review', chunkCount: 0 });
  expect(await reading(docId)).toMatchObject({ state: 'failed', notes: [{ code: 'empty' }] });
});

test('a file that ends its readers each time is begun three times, and others are read meanwhile', async () => {
  const [bad, good] = [await asked(), await asked()];
  const own = reader((original) =>
    original.fileName === 'a.txt' && tried++ < 3
      ? Promise.reject(new Error('gone'))
      : reads('第一条')(original),
  );
  let tried = 0;
  await own.round(never);
  tried = 9;
  await own.round(never);
  expect(await document(good)).toMatchObject({ status: 'review', chunkCount: 1 });
  for (tried = 0; tried < 2;) {
    rig.clock.advance(5 * MINUTE);
    await own.round(never);
  }
  expect(await reading(bad)).toMatchObject({ state: 'reading', attempts: 3 });
  rig.clock.advance(5 * MINUTE);
  await own.round(never);
  expect(await reading(bad)).toMatchObject({
    state: 'failed',
    notes: [{ code: 'ended_readers', params: { times: 3 } }],
  });
  expect(await own.round(never)).toEqual({ again: false });
  // A person has it read once more.
  tried = 9;
  await rig.store.policy.readings.ask({ tenantCode: 'acme', docId: bad, actor: 'li' }, stamp());
  await own.round(never);
  expect(await reading(bad)).toMatchObject({ state: 'read', attempts: 1 });
});

test('a hub that stops, or whose originals are away, leaves the file as it was', async () => {
  const docId = await asked();
  const stopping = new AbortController();
  const stopped = reader((_, options) => {
    stopping.abort();
    return Promise.reject(options?.signal?.reason as Error);
  });
  expect(await stopped.round(stopping.signal)).toEqual({ again: false });
  expect(await reading(docId)).toMatchObject({ attempts: 0 });
  const gone = (): Promise<never> => Promise.reject(new AppError(503, 'originals_unavailable', 'away'));
  const away = reader(reads('第一条'), gone, gone);
  await expect(away.round(never)).rejects.toThrow('away');
  expect(await reading(docId)).toMatchObject({ attempts: 0 });
  rig.clock.advance(5 * MINUTE);
  // Until they are back the file is not even taken: another hub has it at once.
  await expect(away.round(never)).rejects.toThrow('away');
  await reader(reads('第一条')).round(never);
  expect(await reading(docId)).toMatchObject({ state: 'read', attempts: 1 });
});

test('what a program brings itself stands, and it has some minutes for it', async () => {
  const docId = await uploaded();
  const own = reader(reads('第一条'));
  expect(await own.round(never)).toEqual({ again: false });
  rig.clock.advance(6 * MINUTE);
  const late = reader(async () => {
    await rig.store.policy.documents.submitChunks(
      {
        ...{
          docId,
          tenantCode: 'acme',
          parseNote: null,
          chunksSha256: SHA,
          missingNumbers: [],
          actor: 'sync',
        },
        chunks: [
          {
            ...{ clausePath: null, page: null, text: 'its own', textSha256: SHA },
            ...{ embedding: null, embedModel: null, dim: null },
          },
        ],
      },
      stamp(),
    );
    return { clauses: [{ clausePath: null, page: null, text: 'read here' }], notes: [] };
  });
  await late.round(never);
  expect(await rig.store.policy.documents.chunks(docId, management)).toMatchObject([{ text: 'its own' }]);
  expect(await reading(docId)).toBeNull();
});
