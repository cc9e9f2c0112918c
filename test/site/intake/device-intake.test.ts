// Events of devices that intake refuses.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../../common/clock.ts';
import { EventService } from '../../../common/core/event/service.ts';
import { silentLogger } from '../../../common/log.ts';
import type { DeviceEvent } from '../../../site/intake/device/event.ts';
import { DeviceIntake } from '../../../site/intake/device/intake.ts';
import { DeviceStates } from '../../../site/intake/device/state.ts';
import type { Device } from '../../../site/intake/record.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { eventsOf } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());

const device: Device = {
  keyId: 'node-1',
  kind: 'axis',
  tokenHash: '',
  secretRef: null,
  config: {},
  createdAt: 0,
  tenantCode: 'acme',
  name: 'gate',
};

const eventNo = (no: number, more: Partial<DeviceEvent> = {}): DeviceEvent => ({
  idempotency_key: `axis:${no}`,
  type: 'line.crossing',
  ...more,
});

test('one is stored without its particulars, counted and shown, and costs no other of its message', async () => {
  const states = new DeviceStates();
  const events = new EventService({ events: here.site.store.events, clock: systemClock });
  const intake = new DeviceIntake({ events, states, clock: systemClock, log: silentLogger() });
  const wrong = { camera_ref: 'c'.repeat(129) };
  const several = [eventNo(1), eventNo(2, { ...wrong, severity: 'high' }), eventNo(3)];
  const stored = await intake.storeAll(device, several);
  const again = await intake.storeAll(device, [eventNo(2, wrong)]);
  await intake.store(device, eventNo(4, { type: 'No type', title: 'Fox' }));
  const seen = await eventsOf(here);
  expect(seen.map(({ key, type, severity }) => [key, type, severity])).toEqual([
    ['axis:1', 'line.crossing', null],
    ['axis:3', 'line.crossing', null],
    ['axis:2', 'line.crossing', 'high'],
    ['axis:4', 'device.alarm', null],
  ]);
  const idOf = (key: string): number | undefined => seen.find((one) => one.key === key)?.id;
  expect(stored.map(({ id }) => id)).toEqual(['axis:1', 'axis:2', 'axis:3'].map(idOf));
  expect(again).toMatchObject([{ id: idOf('axis:2'), duplicate: true }]);
  const state = states.of('node-1');
  expect([state.unreadable, state.refusal?.count]).toEqual([3, 3]);
  expect(state.refusal?.detail).toContain('type');
});
