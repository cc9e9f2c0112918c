// How grave an event is: as its camera says, or its settings, its tenant, or the table of all types.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventTypeTable } from '../../../common/core/event/type-table.ts';
import { dahuaTypes } from '../../../site/intake/dahua/types.ts';
import { hikvisionTypes } from '../../../site/intake/hikvision/types.ts';
import { topics } from '../../../site/intake/topic/types.ts';
import { type SiteHere, startSiteHere } from '../../support/in-process.ts';
import { Scene } from '../../support/process.ts';
import { expectStatus, jsonOf, signedCall } from '../../support/request.ts';
import { alertXml, eventsOf, post, register, XML } from './rig.ts';

const scene = new Scene();
let here: SiteHere;
beforeAll(async () => {
  here = await startSiteHere(scene);
});
afterAll(() => scene.close());

const tables = { hikvision: hikvisionTypes, dahua: dahuaTypes, topics };

test.each(Object.entries(tables))(
  'every type that a word of %s means has a name and a severity',
  (_, table) => {
    const types = [...new Set(Object.values(table).map(({ type }) => type))];
    expect(types.filter((type) => !eventTypeTable.has(type))).toEqual([]);
  },
);

test.each([
  ['fire.detected', 'critical'],
  ['smoke.detected', 'critical'],
  ['gas.alarm', 'critical'],
  ['person.fall', 'critical'],
  ['person.violence', 'critical'],
  ['person.sos', 'critical'],
  ['region.intrusion', 'high'],
  ['person.no_helmet', 'medium'],
  ['device.disk_full', 'low'],
  ['camera.defocused', 'low'],
  ['motion.detected', 'low'],
])('%s is %s', (type, severity) => {
  expect(eventTypeTable.get(type)?.severity).toBe(severity);
});

const severityOf = async (
  settings: Record<string, unknown>,
  type: string,
  channel: number,
): Promise<string | null | undefined> => {
  const device = await register(here, { kind: 'hikvision', ...settings });
  expectStatus(await post(here, device.path, alertXml({ type, channel }), XML), 200);
  return (await eventsOf(here)).at(-1)?.severity;
};
const names = async (types: Record<string, string>): Promise<void> => {
  const body = { tenant_code: 'acme', kind: 'prompt', name: 'severities.agent', body: { types } };
  expectStatus(await here.call('POST', '/api/core/objects/rules', body), 201);
};

test('the settings of a device go before its tenant, and that before the table', async () => {
  expect(await severityOf({}, 'fireDetection', 1)).toBe('critical');
  expect(await severityOf({}, 'hardHatDetection', 2)).toBe('medium');
  expect(await severityOf({}, 'someNewWord', 3)).toBeNull();
  await names({ 'person.*': 'low', 'person.no_helmet': 'high', 'hikvision.some_new_word': 'critical' });
  expect(await severityOf({}, 'hardHatDetection', 4)).toBe('high');
  expect(await severityOf({}, 'fallDown', 5)).toBe('low');
  expect(await severityOf({}, 'someNewWord', 6)).toBe('critical');
  expect(await severityOf({ severity: 'medium' }, 'hardHatDetection', 7)).toBe('medium');
  const severities = { 'person.no_helmet': 'critical' };
  expect(await severityOf({ severity: 'low', severities }, 'hardHatDetection', 8)).toBe('critical');
});

test('an event that a camera signs has the severity that it says, or that its tenant says, or none', async () => {
  await names({ 'person.no_helmet': 'high' });
  const key = await here.node('signs');
  const send = async (n: number, more: object): Promise<string | null | undefined> => {
    const body = JSON.stringify({ idempotency_key: `signed-${n}`, ...more });
    const call = { url: here.site.url, method: 'POST', path: '/api/core/events', key, body };
    expectStatus(await signedCall(call), 200, 201, 202);
    return (await eventsOf(here)).at(-1)?.severity;
  };
  expect(await send(1, { type: 'person.no_helmet' })).toBe('high');
  expect(await send(2, { type: 'person.no_helmet', severity: 'low' })).toBe('low');
  // The table of all types is for cameras that cannot say how grave it is.
  expect(await send(3, { type: 'fire.detected' })).toBeNull();
});

test('the table that counts for a tenant can be read', async () => {
  await names({ 'person.no_helmet': 'high', 'crane.*': 'critical' });
  const { items } = jsonOf<{ items: { type: string }[] }>(
    expectStatus(await here.call('GET', '/api/agent/rules/event-types?tenant_code=acme'), 200),
  );
  const found = (type: string) => items.find((one) => one.type === type);
  expect(found('person.no_helmet')).toEqual({
    type: 'person.no_helmet',
    nameZh: '未戴安全帽',
    nameEn: 'No helmet',
    severity: 'high',
    standard: 'medium',
    registered: true,
    registeredAs: 'person.no_helmet',
  });
  expect(found('fire.detected')).toMatchObject({ severity: 'critical', registered: false });
  expect(found('crane.*')).toMatchObject({ nameZh: null, severity: 'critical', registered: true });
});
