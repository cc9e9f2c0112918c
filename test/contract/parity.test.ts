// The same random commands through both stores and a model: every answer and everything read must be the same
// three times.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Stores } from '../../common/core/stores.ts';
import { runs } from '../support/campaign.ts';
import { TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';
import { type Command, sequences } from './commands.ts';
import { dump, perform } from './dump.ts';
import type { StoreHarness } from './harness.ts';
import { Model } from './model.ts';
import { dumpModel } from './model-dump.ts';

interface Subject {
  harness: StoreHarness;
  clock: TestClock;
  stores: Stores;
}

async function open(harness: StoreHarness): Promise<Subject> {
  const clock = new TestClock();
  return { harness, clock, stores: await harness.open(clock) };
}

async function play(commands: readonly Command[], subjects: readonly Subject[]): Promise<void> {
  const model = new Model();
  const modelClock = new TestClock();
  for (const command of commands) {
    if (command.op === 'clock')
      for (const clock of [modelClock, ...subjects.map((subject) => subject.clock)]) clock.step(command.ms);
    else if (command.op === 'restart')
      for (const subject of subjects) subject.stores = await subject.harness.reopen();
    else {
      const expected = structuredClone(model.perform(modelClock.now(), command));
      for (const { stores, clock } of subjects)
        expect(await perform(stores, clock, command), JSON.stringify(command)).toEqual(expected);
    }
  }
  const expected = dumpModel(model);
  const dumps = [];
  for (const { stores } of subjects) dumps.push(await dump(stores));
  expect(dumps[1]).toEqual(dumps[0]);
  expect(dumps[0]).toEqual(expected);
}

describe('both stores', () => {
  test('answer and hold the same as each other and as the model', async () => {
    await fc.assert(
      fc.asyncProperty(sequences, async (commands) => {
        const harnesses = [siteHarness(), hubHarness()];
        try {
          const subjects = [];
          for (const harness of harnesses) subjects.push(await open(harness));
          await play(commands, subjects);
        } finally {
          for (const harness of harnesses) await harness.close();
        }
      }),
      { numRuns: runs(8, 25), interruptAfterTimeLimit: 90_000, endOnFailure: true },
    );
  });
});
