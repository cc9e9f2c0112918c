// What holds where events of sites are kept: verdicts on them are decisions for their site.
import { describe, expect, test } from 'vitest';
import type { ChangeBody } from '../../common/uplink/wire.ts';
import { type MakeHarness, useStores } from './harness.ts';
import { correctionOn, docOf, messagesOn, siteEvent, stored, verdictOn } from './samples.ts';

export function siteEventContract(make: MakeHarness): void {
  describe('verdicts on events of a site', () => {
    const bench = useStores(make);
    const bodies = async () =>
      (await bench.stores.verdicts.changes(0, 10)).map((change) => JSON.parse(change.body) as ChangeBody);

    test('a verdict waits for the site, and is told to no camera here', async () => {
      const id = await stored(
        bench.stores,
        siteEvent('k', { doc: docOf({ feedbackUrl: 'http://10.0.0.9/alerts' }) }),
      );
      expect(await bench.stores.verdicts.write(verdictOn(id), bench.stamp())).toMatchObject({
        kind: 'written',
        feedbackId: null,
        awaitsSite: 'site-9',
      });
      const decisionId = (await bench.stores.verdicts.get(id))?.decisionId;
      expect(decisionId).toEqual(expect.any(String));
      expect((await bodies())[0]?.decision_id).toBe(decisionId);
      expect(await messagesOn(bench.stores, id)).toEqual([]);
    });

    test('a correction waits for the site under its own id', async () => {
      const id = await stored(bench.stores, siteEvent('k'));
      await bench.stores.verdicts.write(verdictOn(id), bench.stamp());
      expect(await bench.stores.verdicts.correct(correctionOn(id, 'c-1'), bench.stamp())).toMatchObject({
        kind: 'written',
        awaitsSite: 'site-9',
      });
      expect((await bodies())[1]?.decision_id).toBe('c-1');
    });
  });
}
