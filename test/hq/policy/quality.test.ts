// That a change of how terms are cut or weighed does not make the search worse; `npm run bench -- policy
// --explain` lists what it gets wrong.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { figuresOf, placeAnswers } from '../../bench/policy/quality.ts';
import { longTest } from '../../support/long.ts';
import { createHubDatabase } from '../../support/postgres.ts';

longTest(
  'questions in other words find their clause as often as before',
  async () => {
    const dir = await mkdtemp(path.join(os.tmpdir(), 'fieldline-quality-'));
    const database = await createHubDatabase();
    try {
      const { keyword, hybrid } = await placeAnswers(database.url, dir);
      const [words, both] = [figuresOf(keyword), figuresOf(hybrid)];
      expect(keyword.length).toBeGreaterThanOrEqual(200);
      expect(words.mrr).toBeGreaterThan(0.43);
      expect(words.at10).toBeGreaterThan(0.55);
      expect(both.at10).toBeGreaterThan(words.at10);
      expect(both.at200).toBeGreaterThan(words.at200);
    } finally {
      await database.drop();
      await rm(dir, { recursive: true, force: true });
    }
  },
  120_000,
);
