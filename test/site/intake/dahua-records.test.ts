// What Dahua's stream brings, from its bytes to what is understood of them, however they are split.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dahua, headersOf } from '../../../site/intake/dahua/parse.ts';
import { RecordReader } from '../../../site/intake/dahua/records.ts';
import { alarmKey } from '../../../site/intake/episode/identity.ts';
import type { DeviceConfig, Occurrence, Reading } from '../../../site/intake/record.ts';

function readingsOf(pieces: readonly Buffer[], config: DeviceConfig = {}): Reading[] {
  const records: Buffer[] = [];
  const reader = new RecordReader((record) => records.push(record));
  for (const piece of pieces) reader.push(piece);
  reader.end();
  const parts = records.map((body) => ({ headers: { 'content-type': 'text/plain' }, body }));
  return dahua.parse(parts, config, { headers: headersOf('SN1') });
}
const read = (text: string, config?: DeviceConfig): Reading[] => readingsOf([Buffer.from(text)], config);
const alarms = (text: string, config?: DeviceConfig): Occurrence[] =>
  read(text, config).filter((one) => one.what === 'occurrence');

const part = (
  body: string,
  { length = Buffer.byteLength(body), eol = '\r\n', doubled = false } = {},
): string =>
  `${doubled ? `--myboundary${eol}` : ''}--myboundary${eol}Content-Type: text/plain${eol}` +
  `Content-Length:${length}${eol}${eol}${body}${eol}${eol}`;
const MOTION =
  'Code=VideoMotion;action=Start;index=0;data={\n   "Id" : [ 0 ],\n   "RegionName" : [ "Gate; \\"A\\" }" ],\n' +
  '   "SmartMotionEnable" : true\n}\n';
const LINE =
  'Code=CrossLineDetection;action=Start;index=2;data={"Name":"Fence","RuleID":3,"Direction":"LeftToRight",' +
  '"EventID":10017,"Object":{"ObjectType":"Human"},"UTC":1700000000,"UTCMS":250}';
const BARE = 'Code=AlarmLocal;action=Start;index=1';

test('a record is understood: its type, channel, rule, object and time', () => {
  expect(alarms(part(MOTION) + part(LINE) + part(BARE))).toMatchObject([
    { type: 'motion.detected', channel: '1', serial: 'SN1', payload: { region: 'Gate; "A" }' } },
    {
      type: 'line.crossing',
      channel: '3',
      id: 'CrossLineDetection-2-10017-1700000000250',
      time: { at: 1_700_000_000_250 },
      payload: { rule: 'Fence', target: 'human', direction: 'LeftToRight' },
      pictureUrls: ['/cgi-bin/snapshot.cgi?channel=3'],
    },
    { type: 'input.triggered', channel: '2', state: 'active' },
  ]);
});

test('the end of an alarm is that of the one which began, and rules are told apart', () => {
  const stop = LINE.replace('Start', 'Stop');
  const other = LINE.replace('Fence', 'Door');
  const [began, another, ended] = alarms(part(LINE) + part(other) + part(stop));
  expect(ended).toMatchObject({ state: 'ended', identity: began?.identity });
  expect(another?.identity).not.toEqual(began?.identity);
});

test('what tells of the device alone is no event, and an unknown code has its own name', () => {
  const text = ['TimeChange', 'NTPAdjustTime', 'NewFile'].map((code) =>
    part(`Code=${code};action=Pulse;index=0`),
  );
  expect(read(`${text.join('')}${part('Heartbeat')}`).map(({ what }) => what)).toEqual(
    Array(4).fill('heartbeat'),
  );
  expect(alarms(part('Code=UserLogin;action=Pulse;index=0'))).toMatchObject([
    { type: 'device.login', kind: 'observation', pictureUrls: [] },
  ]);
  expect(alarms(part('Code=FoxSeen;action=Start;index=0'))).toMatchObject([
    { type: 'dahua.fox_seen', known: false, rawType: 'FoxSeen' },
  ]);
  expect(
    alarms(part('Code=FoxSeen;action=Start;index=0'), { types: { FoxSeen: 'object.animal' } }),
  ).toMatchObject([{ type: 'object.animal', known: true }]);
});

test('pulses that tell themselves apart are an event each; others are one while they follow each other', () => {
  const plate = (text: string): string =>
    part(
      `Code=TrafficJunction;action=Pulse;index=0;data={"TrafficCar":{"PlateNumber":"${text}"},"UTC":1700000000}`,
    );
  const seen = alarms(plate('A1') + plate('B2'));
  expect(seen.map(({ state, title, unique }) => [state, title, unique])).toEqual([
    ['active', 'A1', true],
    ['ended', 'A1', true],
    ['active', 'B2', true],
    ['ended', 'B2', true],
  ]);
  expect(new Set(seen.map(({ id }) => id)).size).toBe(2);
  expect(alarms(part('Code=AlarmLocal;action=Pulse;index=0'))).toMatchObject([
    { repeats: true, state: 'active' },
  ]);
});

test('plates and cards are an event each, also where the device calls them a beginning', () => {
  const told = (code: string, data: object): string =>
    part(`Code=${code};action=Start;index=0;data=${JSON.stringify(data)}`);
  const plates = ['京A00001', '京A00002'].map((PlateNumber) =>
    told('TrafficJunction', { Plate: { PlateNumber } }),
  );
  const cards = [1, 2].map((UTC) => told('AccessControl', { UserID: '7', UTC: 1_700_000_000 + UTC }));
  const seen = alarms(plates.join('') + cards.join(''));
  const begun = seen.filter(({ state }) => state === 'active');
  expect(begun.map(({ type, title }) => [type, title])).toEqual([
    ['vehicle.plate', '京A00001'],
    ['vehicle.plate', '京A00002'],
    ['access.event', null],
    ['access.event', null],
  ]);
  expect(new Set(begun.map(({ identity }) => alarmKey(identity))).size).toBe(4);
});

test.each([
  ['the boundary twice', { doubled: true }],
  ['LF alone', { eol: '\n' }],
  ['a length too long', { length: 9_999 }],
  ['a length too short', { length: 3 }],
])('is read as the alarms that it is: %s', (_, form) => {
  const text = [MOTION, 'Heartbeat', LINE, BARE].map((body) => part(body, form)).join('');
  expect(alarms(text).map(({ type }) => type)).toEqual([
    'motion.detected',
    'line.crossing',
    'input.triggered',
  ]);
});

test('header lines inside the stream, several records of one part and data that is cut cost no alarm', () => {
  const cut = part('Code=CrossRegionDetection;action=Start;index=0;data={"Name":"Yard","Obj');
  const stray = `Content-Length:12\r\n${BARE}\r\nContent-Type: text/plain\r\n${MOTION}`;
  const seen = alarms(cut + part(stray) + part(LINE));
  expect(seen.map(({ type }) => type)).toEqual([
    'region.intrusion',
    'input.triggered',
    'motion.detected',
    'line.crossing',
  ]);
  expect(seen[0]?.payload.data_not_read).toContain('Yard');
});

test('names that are no UTF-8 and raw line ends in strings are read', () => {
  const gb = Buffer.concat([
    Buffer.from('--myboundary\r\n\r\nCode=CrossLineDetection;action=Start;index=0;data={"Name":"'),
    Buffer.from([0xb1, 0xb1, 0xc3, 0xc5]),
    Buffer.from('"}\r\n\r\n'),
  ]);
  const [told] = readingsOf([gb]);
  expect(told).toMatchObject({ what: 'occurrence', payload: { rule: expect.any(String) as unknown } });
  expect(alarms('Code=VideoMotion;action=Start;index=0;data={"RegionName":["a\tb"]}\r\n')).toMatchObject([
    { payload: { region: 'a b' } },
  ]);
});

const told = (code: string, action: string, index: number | string, data?: object): string =>
  part(
    `Code=${code};action=${action};index=${index}${data ? `;data=${JSON.stringify(data, null, 3)}\n` : ''}`,
  );

test('a press of a bell is one alarm by all its codes, until it is answered or given up', () => {
  const amcrest =
    told('_DoTalkAction_', 'Pulse', 0, { Action: 'Invite', CallID: '20261102104117@1@192.168.1.9' }) +
    told('CallNoAnswered', 'Start', 0, { CallID: '9' }) +
    told('PhoneCallDetect', 'Start', 0, { UTC: 1_700_000_000, LocaleTime: '2023-11-14 22:13:20' }) +
    told('_DoTalkAction_', 'Pulse', 0, { Action: 'Hangup', CallID: '2' }) +
    told('CallNoAnswered', 'Stop', 0);
  const seen = alarms(amcrest);
  expect(seen.map(({ state }) => state)).toEqual(['active', 'active', 'active', 'ended', 'ended']);
  expect(new Set(seen.map(({ identity }) => alarmKey(identity))).size).toBe(1);
  expect(seen[0]).toMatchObject({ type: 'doorbell.pressed', channel: '1', known: true });
});

test('a doorbell by its plain code, whoever opens a door, and a telephone exchange that answers', () => {
  const seen = alarms(
    told('DoorBell', 'Start', 0) +
      told('DoorBell', 'Stop', 0) +
      told('AccessCtl', 'Pulse', 0, { Name: 'Door1', UserID: '7' }) +
      told('SIPRegis', 'Pulse', 0),
  );
  expect(seen.map(({ type, state, known }) => [type, state, known])).toEqual([
    ['doorbell.pressed', 'active', true],
    ['doorbell.pressed', 'ended', true],
    ['access.event', 'active', true],
  ]);
});

test('at a door station the flat that is called is no channel', () => {
  const seen = alarms(
    told('Invite', 'Pulse', 0, { CallID: '7', LockNum: 2 }) +
      told('CallNoAnswered', 'Start', 9902, { CallID: '7', LockNum: 2, TCPPort: 37_777 }) +
      told('BackKeyLight', 'Pulse', 0, { State: 1 }) +
      told('BackKeyLight', 'Pulse', 0, { State: 8 }) +
      told('PassiveHungup', 'Start', 0),
  );
  expect(seen.map(({ state, channel, payload }) => [state, channel, payload.room])).toEqual([
    ['active', '1', '0'],
    ['active', '1', '9902'],
    ['active', '1', undefined],
    ['ended', '1', undefined],
  ]);
  expect(seen[1]?.pictureUrls).toEqual(['/cgi-bin/snapshot.cgi?channel=1']);
  expect(new Set(seen.map(({ identity, type }) => `${alarmKey(identity)} ${type}`)).size).toBe(1);
});

test('somebody who holds a phone rings no bell', () => {
  expect(
    alarms(told('PhoneCallDetect', 'Start', 0, { Class: 'Normal', Object: { ObjectType: 'Human' } })),
  ).toMatchObject([{ type: 'person.phoning', payload: { target: 'human' } }]);
});

test('the number of a disk is none of a camera, and tells disks apart', () => {
  const [one, another] = alarms(told('StorageFailure', 'Start', 0) + told('StorageFailure', 'Start', 1));
  expect(one).toMatchObject({ type: 'device.disk_error', channel: null, payload: { index: '0' } });
  expect(another?.identity).not.toEqual(one?.identity);
});

test('one vehicle right after another is an event each, and one whose end alone is told, too', () => {
  const passes = (plate: string, action: string, EventID: number): string =>
    told('TrafficJunction', action, 0, {
      Name: 'Gate',
      EventID,
      Object: { ObjectType: 'Plate', Text: plate },
      UTC: 1_700_000_000 + EventID,
    });
  const seen = alarms(passes('A1', 'Start', 1) + passes('B2', 'Start', 2) + passes('A1', 'Stop', 1));
  expect(seen.map(({ title, state, unique }) => [title, state, unique])).toEqual([
    ['A1', 'active', true],
    ['B2', 'active', true],
    ['A1', 'ended', true],
  ]);
  expect(seen[2]?.identity).toEqual(seen[0]?.identity);
  expect(seen[1]?.identity).not.toEqual(seen[0]?.identity);
  // Numbers begin again with the device.
  const later = alarms(passes('A1', 'Start', 1).replace('1700000001', '1700086401'));
  expect(later[0]?.identity).not.toEqual(seen[0]?.identity);
});

test.each([
  [{ TrafficCar: { PlateNumber: 'AB 12' } }, 'AB 12'],
  [{ Plate: { PlateNumber: 'AB12' } }, 'AB12'],
  [{ PlateNumber: 'AB12' }, 'AB12'],
  [{ Object: { ObjectType: 'Plate', Text: 'AB12' }, Vehicle: { Text: 'Fox' } }, 'AB12'],
  [{ Object: { ObjectType: 'Vehicle', Text: 'Fox' }, TrafficCar: { PlateNumber: '' } }, null],
  [{ TrafficCar: { PlateNumber: 'unlicensed' } }, null],
  [{ TrafficCar: { PlateNumber: '--' } }, null],
])('the plate is read where there is one: %o', (data, title) => {
  expect(alarms(told('TrafficSnapshot', 'Start', 0, data))).toMatchObject([{ type: 'vehicle.plate', title }]);
});

test.each([
  ['SmartMotionHuman', { object: [{ HumamID: 17 }] }, 'human'],
  ['SmartMotionVehicle', { object: [{ VehicleID: 4 }] }, 'vehicle'],
  ['CrossLineDetection', { ObjectType: 'Vehicle' }, 'vehicle'],
  ['CrossRegionDetection', { Object: { Type: 'Human' } }, 'human'],
  ['HumanTrait', { Objects: [{ ObjectType: 'Human' }] }, 'human'],
])('%s keeps its target %o', (code, data, target) => {
  expect(alarms(told(code, 'Start', 0, data))).toMatchObject([{ known: true, payload: { target } }]);
});

test('the real time is believed before one that may be of another zone', () => {
  const [doubted, real] = alarms(
    told('FaceDetection', 'Start', 0, { UTC: 1_700_028_800 }) +
      told('FaceDetection', 'Start', 1, { UTC: 1_700_028_800, RealUTC: 1_700_000_000, UTCMS: 5 }),
  );
  expect(doubted?.time).toMatchObject({ at: 1_700_028_800_000, zoneDoubted: true });
  expect(real?.time).toMatchObject({ at: 1_700_000_000_005, zoneDoubted: false });
});

test('a record is found in whatever letters its first word is written', () => {
  expect(alarms(part(BARE.replace('Code', 'code')) + part(LINE.replace('Code', 'CODE')))).toHaveLength(2);
});

test('fields that stand in place of data are kept', () => {
  expect(alarms(part('Code=SmartMotionHuman;action=Start;index=0;Region=1;Confidence=89'))).toMatchObject([
    { payload: { fields: { Region: '1', Confidence: '89' } } },
  ]);
});

test.each([
  ['SmartMotionHuman', 'object.person'],
  ['HotSpotWarning', 'temperature.alarm'],
  ['BetweenRuleTempDiff', 'temperature.difference'],
  ['ObjectPlacementDetection', 'object.left'],
  ['ObjectRemovalDetection', 'object.removed'],
  ['GasAlarm', 'gas.alarm'],
  ['StrikeDetection', 'person.violence'],
  ['BreakIn', 'door.forced'],
  ['DoorNotClosed', 'door.held_open'],
  ['Duress', 'access.duress'],
  ['ChassisIntruded', 'device.opened'],
  ['DoorCard', 'access.event'],
  ['AlarmIPC', 'input.triggered'],
  ['SceneChangeDetection', 'camera.scene_changed'],
])('%s is %s', (code, type) => {
  expect(alarms(told(code, 'Pulse', 0))).toMatchObject([{ type, known: true }]);
});

test.each(['MDResult', 'SnapManual', 'RequestCallState', 'CallSnap', 'NetworkChange', 'Upgrade'])(
  '%s is no event',
  (code) => {
    expect(read(told(code, 'Pulse', 0))).toEqual([{ what: 'heartbeat', time: null }]);
  },
);

test('any split of the bytes gives the same events', () => {
  const body = fc.constantFrom(
    MOTION,
    LINE,
    BARE,
    'Heartbeat',
    LINE.replace('Start', 'Stop'),
    'Code=VideoBlind;action=Pulse;index=0;data={ "a": "x;y={", "n": -1,\n"b": [\n-1,\n{}] }',
    'Code=Odd;action=Start;index=0;data=word',
    'Code=Cut;action=Start;index=0;data={"a": "b',
  );
  const form = fc.record({
    eol: fc.constantFrom('\r\n', '\n'),
    doubled: fc.boolean(),
    length: fc.constantFrom(0, 7, 9_999),
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(body, form), { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(2_000), { maxLength: 40 }),
      (parts, cuts) => {
        const bytes = Buffer.from(parts.map(([text, how]) => part(text, how)).join(''));
        const at = [0, ...new Set(cuts.filter((one) => one < bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        );
        const pieces = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
        const whole = readingsOf([bytes]);
        expect(readingsOf(pieces)).toEqual(whole);
        expect(whole.filter(({ what }) => what === 'unreadable')).toEqual([]);
        const meant = parts.filter(([text]) => text !== 'Heartbeat').length;
        expect(whole.filter((one) => one.what === 'occurrence')).toHaveLength(meant);
      },
    ),
    { numRuns: 300 },
  );
});

test('a record whose line ends with the next boundary is told at once, and without that boundary', () => {
  const records: string[] = [];
  const reader = new RecordReader((record) => records.push(record.toString()));
  const head = `--myboundary\r\nContent-Type: text/plain\r\nContent-Length:${BARE.length}\r\n\r\n`;
  for (let at = 0; at < head.length; at += 9) reader.push(Buffer.from(head.slice(at, at + 9)));
  reader.push(Buffer.from(BARE));
  expect(records).toEqual([BARE]);
  // A length that is wrong ends none.
  reader.push(Buffer.from(`\r\n--myboundary\r\nContent-Length:7\r\n\r\n${BARE.slice(0, 7)}`));
  expect(records).toHaveLength(1);
  reader.push(Buffer.from(`${BARE.slice(7)}\r\n`));
  expect(records.splice(1).map((one) => one.trim())).toEqual([BARE]);
  const glued = `${BARE}--myboundary\r\nContent-Type: text/plain\r\n\r\nHeartbeat--myboundary\r\n\r\n${BARE}\r\n`;
  reader.push(Buffer.from(`--myboundary\r\n\r\n${glued}`));
  expect(records.map((one) => one.trim())).toEqual([BARE, BARE, 'Heartbeat', BARE]);
  expect(alarms(`--myboundary\r\n\r\n${glued}`).map(({ channel }) => channel)).toEqual(['2', '2']);
});

test('a record is told as soon as it is whole, and one without end is bounded', () => {
  const records: string[] = [];
  const reader = new RecordReader((record) => records.push(record.toString()));
  reader.push(Buffer.from(`--myboundary\r\n\r\n${LINE}`));
  expect(records).toEqual([LINE]);
  reader.push(Buffer.from(`\r\n\r\n--myboundary\r\n\r\n${BARE}\r\n`));
  expect(records).toEqual([LINE, `${BARE}\r`]);
  reader.push(Buffer.from('Code=VideoMotion;action=Start;index=0;data={'));
  for (let n = 0; n < 700; n += 1) reader.push(Buffer.alloc(1024, 0x20));
  expect(records).toHaveLength(3);
  reader.push(Buffer.from(`\n${BARE}\n`));
  expect(records.at(-1)).toBe(BARE);
});
