// Calls that wait for what is new, and a look that is under way when another begins to wait.
import { expect, onTestFinished, test } from 'vitest';
import { type News, WaitingCalls } from '../../common/http/body/waiting-calls.ts';
import { silentLogger } from '../../common/log.ts';

const NEVER = new AbortController().signal;
const LONG_MS = 60_000;

test('who begins to wait during a look is passed over by nothing from before where it began', async () => {
  const looks: { from: number; answer: (news: News<string> | null) => void }[] = [];
  let looked: () => void = () => undefined;
  const calls = new WaitingCalls<string>({
    name: 'waiting calls of a test',
    look: async (from) => {
      if (looks.length > 0) return null;
      looked();
      return new Promise((answer) => looks.push({ from, answer }));
    },
    most: 10,
    log: silentLogger(),
  });
  calls.loop.start();
  onTestFinished(() => calls.loop.stop());
  const first = new AbortController();
  const begun = new Promise<void>((resolve) => (looked = resolve));
  const far = calls.news('far', 5, LONG_MS, first.signal);
  await begun;
  first.abort();
  await far;
  // It has looked up to 3 only; what came between is not known to the look from 5.
  const behind = calls.news('behind', 3, LONG_MS, NEVER);
  expect(looks.map(({ from }) => from)).toEqual([5]);
  looks[0]?.answer({ through: 8, isFor: () => false });
  // Woken by this look, not when its time is over.
  await behind;
  expect(calls.loop.consecutiveFailures).toBe(0);
});
