// Webhooks of programs that are in use, read by the paths that fit them.
import { expect, test } from 'vitest';
import { webhook } from '../../../site/intake/webhook/parse.ts';
import type { WebhookFields } from '../../../site/intake/webhook/record.ts';

const AT = Date.UTC(2026, 0, 1);
const read = (fields: WebhookFields, body: object) =>
  webhook.parse(
    [{ headers: { 'content-type': 'application/json' }, body: Buffer.from(JSON.stringify(body)) }],
    { fields },
    { headers: {} },
  );

test('an alarm manager that lists what triggered it has an event for each', () => {
  const trigger = (key: string, eventId: string) => ({ key, device: '0A1B2C3D4E5F', eventId, timestamp: AT });
  const fields = { list: 'alarm.triggers', type: 'key', camera: 'device', time: 'timestamp', id: 'eventId' };
  const triggers = [trigger('person', 'e-1'), trigger('vehicle', 'e-2')];
  const both = read(fields, { alarm: { name: 'Yard', conditions: [], triggers }, timestamp: AT });
  expect(both).toMatchObject([
    { state: 'single', type: 'webhook.person', channel: '0A1B2C3D4E5F', time: { at: AT, zoned: true } },
    { state: 'single', type: 'webhook.vehicle', channel: '0A1B2C3D4E5F' },
  ]);
});

test('a recorder that counts its channels from 0 and writes its zone without a colon is read', () => {
  const fields = { type: 'alarm.type', camera: 'alarm.channel', time: 'alarm.alarmTime' };
  const alarm = {
    alarmTime: '2026-01-01T08:00:00.000+0800',
    channel: 0,
    channelName: 'Yard',
    type: 'PEOPLE',
  };
  expect(read(fields, { alarm })).toMatchObject([
    { state: 'active', type: 'webhook.people', channel: '0', time: { at: AT, zoned: true } },
  ]);
});

test.each(['off', 'Idle', 'closed', 'NORMAL', 'clear', 'resolved', 'finished', false, 0])(
  'an alarm is over in the word of the program: %s',
  (state) => {
    expect(read({ type: 'kind', state: 'state' }, { kind: 'motion.detected', state })).toMatchObject([
      { state: 'ended', type: 'motion.detected' },
    ]);
  },
);
