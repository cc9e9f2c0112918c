// Verdicts that wait for the change counter go together, and each is answered for itself.
import { expect, test } from 'vitest';
import { event, hubStores, stampAt, T0, testClock, uplinked, verdict, watchStatements } from './hub.ts';

const hub = hubStores();

test(
  'of verdicts called together the earlier call on an event wins, and one that cannot be stored harms no ' +
    'other',
  async () => {
    const { url } = await hub.database();
    const clock = testClock();
    const store = await hub.open(url, clock);
    await store.sites.add({ instance: 'site-1', tenants: ['acme'] }, T0, 'admin');
    await store.events.ingest(
      Array.from({ length: 10 }, (_, i) => event(`k${i}`, { doc: '{"feedbackUrl":"http://10.0.0.9/"}' })),
      T0,
    );
    await store.receiver.storeEvents(
      {
        instance: 'site-1',
        epoch: 'e',
        version: '1',
        from: 0,
        to: 1,
        head: 1,
        oldest: 1,
        held: null,
        at: null,
      },
      [uplinked('site', 1)],
      [],
      T0,
    );
    let commits = 0;
    watchStatements(store, (statement) => void (commits += statement === 'commit' ? 1 : 0));
    const write = (...[id, more]: Parameters<typeof verdict>) =>
      store.verdicts.write(verdict(id, more), stampAt(T0, clock));
    const calls = [
      ...Array.from({ length: 10 }, (_, i) => write(i + 1, { by: 'first' })),
      ...Array.from({ length: 10 }, (_, i) => write(i + 1, { by: 'second' })),
      write(99),
      write(11, { by: 'first' }),
      write(1, { tenantCode: 'other' }),
    ];
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array<string>(10).fill('written'),
      ...Array<string>(10).fill('unchanged'),
      'no_event',
      'written',
      'tenant_mismatch',
    ]);
    for (const outcome of outcomes.slice(0, 20))
      expect(outcome).toMatchObject({ verdict: { by: 'first' }, event: { verdict: 'confirmed' } });
    expect(outcomes[21]).toMatchObject({ awaitsSite: 'site-1' });
    expect(commits).toBe(1);
    const { rows } = await store.pool.query('select change_no, event_id from decisions');
    expect(rows).toEqual([{ change_no: 11, event_id: 11 }]);
    expect(await store.feedback.counts()).toMatchObject({ pending: 10 });
    expect(await store.audit.list({ tenantCode: null, action: 'verdict.refused' }, null, 100)).toHaveLength(
      10,
    );

    await store.events.ingest(
      Array.from({ length: 3 }, (_, i) => event(`l${i}`)),
      T0,
    );
    const settled = await Promise.allSettled([write(12), write(13, { note: 'a\u0000b' }), write(14)]);
    expect(settled).toMatchObject([
      { status: 'fulfilled' },
      { status: 'rejected', reason: { status: 400, code: 'unstorable_text' } },
      { status: 'fulfilled' },
    ]);
    expect(
      (await store.verdicts.changes(11, 10)).map(({ changeNo, eventId }) => [changeNo, eventId]),
    ).toEqual([
      [12, 12],
      [13, 14],
    ]);
  },
);
