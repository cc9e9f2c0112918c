// What Dahua's stream brings, from its bytes to what is understood of them, however they are split.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dahua, headersOf } from '../../../site/intake/dahua/parse.ts';
import { RecordReader } from '../../../site/intake/dahua/records.ts';
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
  expect(ended).toMatchObject({ state: 'ended', alarm: began?.alarm });
  expect(another?.alarm).not.toBe(began?.alarm);
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
  expect(new Set(begun.map(({ alarm }) => alarm)).size).toBe(4);
  expect(seen).toHaveLength(8);
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
