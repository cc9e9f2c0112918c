// What a model answers: its text, and what it cost, however it says that.
import { expect, test } from 'vitest';
import { createModel } from '../../common/agent/summary/model.ts';

const asking = (usage: unknown) =>
  createModel(
    { url: 'http://model.test/v1', model: 'm', keyRef: null, timeoutMs: 1_000 },
    {
      send: () =>
        Promise.resolve({
          status: 200,
          headers: {},
          body: Buffer.from(JSON.stringify({ choices: [{ message: { content: ' a fire ' } }], usage })),
        }),
    } as unknown as Parameters<typeof createModel>[1],
    {} as Parameters<typeof createModel>[2],
  )('be short', 'what?', new AbortController().signal);

test.each([
  [{ total_tokens: 107, prompt_tokens: 100, completion_tokens: 7 }, 107],
  [{ prompt_tokens: 100, completion_tokens: 7 }, 107],
  [{ prompt_tokens: 'many', completion_tokens: -1 }, 0],
  [null, 0],
])('%o is what it cost', async (usage, tokens) => {
  expect(await asking(usage)).toEqual({ text: 'a fire', tokens });
});
