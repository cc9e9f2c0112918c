// Headquarters or the site lost data, changed its store, or its clock.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { range } from '../../contract/samples.ts';
import { openRig, type Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.close());

const ids = (from: number, to: number) => range(to - from + 1, (index) => from + index);

describe('headquarters lost data', () => {
  test('the sender goes back to what is held and sends the rest again', async () => {
    const [first = 0] = await rig.events(25);
    await rig.judge(first);
    await rig.drain();
    expect(rig.cursor('verdicts')).toBe(1);
    rig.hub.positions.set(`events ${rig.store.epoch()}`, 12);
    rig.hub.positions.set(`verdicts ${rig.store.epoch()}`, 0);
    rig.hub.kept.events.length = 12;
    rig.hub.kept.verdicts.length = 0;
    rig.clock.advance(3_000);
    await rig.round();
    expect(await rig.alarm('uplink_hub_lost_data')).toMatchObject({ clearedAt: null, severity: 'critical' });
    expect(rig.cursor('events')).toBe(12);
    await rig.drain();
    expect(rig.hub.kept).toEqual({ events: ids(1, 25), verdicts: [1] });
    expect(await rig.alarm('uplink_hub_lost_data')).toMatchObject({
      clearedAt: expect.any(Number) as number,
    });
  });

  test('another store at headquarters is an alarm, and nothing is lost', async () => {
    await rig.events(5);
    await rig.drain();
    rig.hub.epoch = 'hub-2';
    rig.hub.positions.clear();
    rig.hub.kept.events.length = 0;
    rig.clock.advance(3_000);
    await rig.drain();
    expect(rig.hub.kept.events).toEqual(ids(1, 5));
    expect(rig.store.uplink.channel('events').hubEpoch).toBe('hub-2');
  });

  test('an epoch that changes while the positions stand is an alarm only', async () => {
    await rig.events(5);
    await rig.drain();
    rig.hub.epoch = 'hub-2';
    rig.clock.advance(3_000);
    await rig.drain();
    expect(await rig.alarm('uplink_hub_epoch_changed')).toMatchObject({
      severity: 'warning',
      details: { before: 'hub-1', now: 'hub-2' },
    });
    expect(rig.hub.batches('events')).toEqual([ids(1, 5)]);
    expect(rig.store.uplink.channel('events').hubEpoch).toBe('hub-2');
  });
});

test('a site on an old copy takes a new epoch, continues its ids, and sends everything once more', async () => {
  await rig.events(3);
  const before = rig.store.epoch();
  rig.hub.positions.set(`events ${before}`, 40);
  await rig.drain();
  expect(rig.store.epoch()).not.toBe(before);
  expect(await rig.alarm('store_restored')).toMatchObject({ severity: 'critical', clearedAt: null });
  expect(await rig.alarm('uplink_hub_lost_data')).toBeUndefined();
  rig.clock.advance(1_000);
  const [next] = await rig.events(1, 'after');
  expect(next).toBe(41);
  await rig.drain();
  expect(rig.hub.kept.events).toEqual([1, 2, 3, 41]);
  expect(rig.hub.requests('events').at(-1)?.request.epoch).toBe(rig.store.epoch());
});

describe('refused credentials', () => {
  test('a clock that is off raises an alarm with the seconds, until it is set', async () => {
    await rig.events(1);
    const serverUnixSeconds = Math.floor(rig.clock.now() / 1000) + 1 - 4_000;
    rig.hub.script = () => ({
      status: 401,
      body: { error: 'clock_skew', message: 'off', serverUnixSeconds },
    });
    await rig.round();
    expect(await rig.alarm('clock_skewed')).toMatchObject({ clearedAt: null, details: { seconds: 4_000 } });
    expect(rig.sender.channels.events.attempts.lastFault).toEqual({
      code: 'clock_ahead',
      params: { seconds: 4_000 },
    });
    rig.hub.script = () => null;
    rig.clock.advance(5_000);
    await rig.drain();
    expect(await rig.alarm('clock_skewed')).toMatchObject({ clearedAt: expect.any(Number) as number });
    expect(rig.cursor('events')).toBe(1);
  });

  test('a refused key says what to do and is tried for ever', async () => {
    await rig.events(1);
    rig.hub.script = () => ({ status: 401, body: { error: 'bad_signature', message: 'unknown' } });
    for (let tries = 1; tries <= 3; tries += 1) {
      rig.clock.advance(120_000);
      await rig.drain();
      expect(rig.sender.channels.events.attempts).toMatchObject({
        failures: tries,
        lastFault: { code: 'hub_refused_key' },
      });
    }
    expect(rig.sender.link.state).toBe('never');
  });
});
