// How often the clause that answers a question is found, and how high: keywords alone, and with the
// stand-in's vectors.
import path from 'node:path';
import { systemClock } from '../../../common/clock.ts';
import { silentLogger } from '../../../common/log.ts';
import { constructionSynonyms } from '../../../common/policy/terms/synonyms.ts';
import { queryTermsOf } from '../../../common/policy/terms/terms.ts';
import { IndexKeeper } from '../../../hq/policy/index/keeper.ts';
import { openHubStore } from '../../../hq/stores.ts';
import { seedLibrary } from '../../support/policy-library.ts';
import { clientOf, createDatabase, startTestPostgres } from '../../support/postgres.ts';
import type { Bench } from '../bench.ts';
import type { Row } from '../table.ts';
import { clauses, type Question, questions, regulations } from './questions.ts';
import { STAND_IN, standInVector } from './stand-in.ts';

export interface Placed {
  question: Question;
  /** From 1; 0 where it is not among the candidates. */
  place: number;
  /** What came first instead. */
  first: string;
}

export interface Figures {
  at1: number;
  at10: number;
  at200: number;
  mrr: number;
}

type Mode = 'keyword' | 'hybrid';

/** Places of the answers to all questions, by mode. @param dir for the index */
export async function placeAnswers(databaseUrl: string, dir: string): Promise<Record<Mode, Placed[]>> {
  const store = await openHubStore({ url: databaseUrl, clock: systemClock, log: silentLogger() });
  const index = new IndexKeeper({
    databaseUrl,
    directory: dir,
    logLevel: 'silent',
    log: silentLogger(),
    clock: systemClock,
    alarms: store.alarms,
    instance: 'hq',
    head: () => store.policy.contents.head(),
    // What is measured is what is found, not how fast this machine makes the index.
    waitMs: 120_000,
  });
  try {
    const positions = await fill(databaseUrl);
    const placed: Record<Mode, Placed[]> = { keyword: [], hybrid: [] };
    for (const question of questions) {
      const vector = standInVector(question.text);
      for (const mode of ['keyword', 'hybrid'] as const) {
        const filter = { tenantCode: 'quality', maxRank: 1, now: Date.now(), sources: null };
        const { candidates } = await index.search({
          filter,
          terms: queryTermsOf(question.text, constructionSynonyms),
          vector: mode === 'hybrid' ? vector : null,
          model: STAND_IN,
          explain: false,
        });
        const found = candidates.slice(0, 200).map((one) => positions.get(one.chunkId) ?? -1);
        placed[mode].push({
          question,
          place: found.indexOf(question.answer) + 1,
          first: clauses[found[0] ?? -1]?.text ?? 'nothing',
        });
      }
    }
    return placed;
  } finally {
    await index.stop();
    await store.close();
  }
}

/** Each regulation is a file. @returns positions in `clauses` by chunk id */
async function fill(databaseUrl: string): Promise<Map<number, number>> {
  const client = clientOf(databaseUrl);
  await client.connect();
  try {
    const files = regulations.map(({ key }) =>
      clauses.flatMap((clause, position) => (clause.regulation === key ? [{ clause, position }] : [])),
    );
    const seeded = await seedLibrary(
      client,
      files.map((file) => ({
        tenant: 'quality',
        chunks: file.map(({ clause }) => ({
          text: clause.text,
          clausePath: clause.clausePath,
          vector: standInVector(clause.text),
          model: STAND_IN,
        })),
      })),
    );
    const order = files.flat();
    return new Map(seeded.map(({ id }, at) => [id, order[at]?.position ?? -1]));
  } finally {
    await client.end();
  }
}

export function figuresOf(placed: readonly Placed[]): Figures {
  const within = (limit: number): number =>
    placed.filter(({ place }) => place > 0 && place <= limit).length / placed.length;
  return {
    at1: within(1),
    at10: within(10),
    at200: within(200),
    mrr: placed.reduce((sum, { place }) => sum + (place > 0 ? 1 / place : 0), 0) / placed.length,
  };
}

export async function measurePolicyQuality(bench: Bench, explain = false): Promise<Row[]> {
  const postgres = await startTestPostgres();
  try {
    const database = await createDatabase(postgres.url);
    const placed = await placeAnswers(database.url, path.join(bench.folder('policy-quality'), 'index'));
    if (explain) for (const mode of ['keyword', 'hybrid'] as const) explainWrong(mode, placed[mode]);
    const chinese = ({ question }: Placed): boolean => /\p{Script=Han}/u.test(question.text);
    return (['keyword', 'hybrid'] as const).flatMap((mode) => [
      rowOf(`policy quality, ${mode}, Chinese`, placed[mode].filter(chinese)),
      rowOf(
        `policy quality, ${mode}, English`,
        placed[mode].filter((one) => !chinese(one)),
      ),
      rowOf(`policy quality, ${mode}, all`, placed[mode]),
    ]);
  } finally {
    await postgres.stop();
  }
}

function rowOf(what: string, placed: readonly Placed[]): Row {
  const { at1, at10, at200, mrr } = figuresOf(placed);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return {
    what: `${what} (${placed.length})`,
    measured: `@1 ${percent(at1)}  @10 ${percent(at10)}  @200 ${percent(at200)}  MRR ${mrr.toFixed(3)}`,
  };
}

function explainWrong(mode: Mode, placed: readonly Placed[]): void {
  for (const { question, place, first } of placed) {
    if (place !== 1)
      process.stdout.write(
        `${mode}: "${question.text}" should find "${clauses[question.answer]?.text}", which is ` +
          `${place === 0 ? 'not found' : `at place ${place}`}; first is "${first}"\n`,
      );
  }
}
