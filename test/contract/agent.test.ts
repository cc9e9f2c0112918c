// Both stores keep the contract of the agent's ports.
import { describe, expect, test } from 'vitest';
import { LeaseLost } from '../../common/agent/act/port.ts';
import { SECOND, TestClock } from '../support/clock.ts';
import { hubHarness } from '../support/hub-harness.ts';
import { siteHarness } from '../support/site-harness.ts';
import { agentContract } from './agent.ts';

describe('site store', () => agentContract(siteHarness));
describe('headquarters store', () => agentContract(hubHarness));

test('of two hub processes one is the agent, and who lost the lease writes nothing', async () => {
  const harness = hubHarness();
  const clock = new TestClock();
  const one = await harness.open(clock);
  const two = await harness.peer(clock);
  try {
    expect(await one.agent.claim('one', clock.now(), 15 * SECOND)).toEqual({ steadyAt: 0 });
    expect(await two.agent.claim('two', clock.now(), 15 * SECOND)).toBeNull();
    await one.agent.handle([], { holder: 'one', steadyAt: 42 }, { now: 1, newId: () => 'x' });
    expect(await two.agent.claim('two', clock.now() + 15 * SECOND, 15 * SECOND)).toEqual({ steadyAt: 42 });
    await expect(
      one.agent.handle([], { holder: 'one', steadyAt: 43 }, { now: 1, newId: () => 'x' }),
    ).rejects.toThrow(LeaseLost);
  } finally {
    await harness.close();
  }
});
