// Notifications of ONVIF however they are divided among answers, and what is in a message besides.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { elementOf } from '../../../site/intake/onvif/document.ts';
import { headersOf, NOBODY } from '../../../site/intake/onvif/identity.ts';
import { Heard, notificationsOf } from '../../../site/intake/onvif/notification.ts';
import { onvif } from '../../../site/intake/onvif/parse.ts';
import { endpointIn, faultIn, usernameToken } from '../../../site/intake/onvif/soap.ts';
import { timesIn } from '../../../site/intake/onvif/subscription.ts';
import type { Reading } from '../../../site/intake/record.ts';
import { notification, pulled, soap } from './onvif-device.ts';

const START = Date.UTC(2026, 0, 1);
const headers = headersOf(
  { serial: 'SN', sources: { VSC0: 'VS0' }, snapshots: {} },
  { at: START, deviceAt: START, clockOff: 0 },
);
const occurrences = (answers: readonly string[]): Reading[] => {
  const heard = new Heard();
  return answers
    .flatMap((answer) => onvif.parse(heard.take(answer, 0).parts, {}, { headers }))
    .filter(({ what }) => what === 'occurrence');
};

const told = fc.record({
  topic: fc.constantFrom('tns1:RuleEngine/CellMotionDetector/Motion', 'tns1:RuleEngine/LineDetector/Crossed'),
  rule: fc.constantFrom('a', 'b & c', '<d>'),
  state: fc.constantFrom('true', 'false', null),
  operation: fc.constantFrom('Initialized', 'Changed', 'Deleted', null),
  second: fc.nat(60),
});

test('however notifications are divided among answers, and answers told again, they are the same alarms', () => {
  fc.assert(
    fc.property(
      fc.array(told, { minLength: 1, maxLength: 20 }),
      fc.array(fc.nat(4), { maxLength: 30 }),
      fc.infiniteStream(fc.nat(5)),
      (all, sizes, again) => {
        const texts = all.map(({ topic, rule, state, operation, second }) =>
          notification({
            topic,
            operation,
            source: { VideoSourceConfigurationToken: 'VSC0', Rule: rule.replace('<', '&lt;') },
            data: state === null ? { ObjectId: '1' } : { State: state },
            at: new Date(START + second * 1000).toISOString(),
          }),
        );
        const answers: string[] = [];
        for (let at = 0, turn = 0; at < texts.length; turn += 1) {
          const size = sizes[turn] ?? 1;
          answers.push(pulled(texts.slice(at, at + size), START));
          at += size;
          if (again.next().value === 0) answers.push(answers[Math.max(0, answers.length - 2)] ?? '');
        }
        expect(occurrences(answers)).toEqual(occurrences([pulled(texts, START)]));
      },
    ),
    { numRuns: 60 },
  );
});

test('what is told in the same words much later is told anew, and at once it is doubled', () => {
  const heard = new Heard();
  const answer = pulled([notification({ at: '2020-01-01T00:00:00Z' })], START);
  expect([0, 3_000, 9_000, 11_000].map((at) => heard.take(answer, at).fresh)).toEqual([1, 0, 0, 1]);
});

test('a time that the clock of the device contradicts is none, and kept', () => {
  const answer = pulled([notification({ at: '2020-01-01T00:00:00Z' })], START);
  expect(occurrences([answer])).toMatchObject([
    { time: null, payload: { onvif: { utc_time: '2020-01-01T00:00:00Z' } } },
  ]);
  const crossed = pulled([
    notification({ topic: 'tns1:RuleEngine/LineDetector/Crossed', data: {}, at: '2020-01-01T00:00:00Z' }),
  ]);
  const ids = [START, START + 60_000].map((at) => {
    const parts = new Heard().take(crossed, 0).parts;
    const [first] = onvif.parse(parts, {}, { headers: headersOf(NOBODY, { at, deviceAt: at, clockOff: 0 }) });
    return first?.what === 'occurrence' ? first.id : null;
  });
  expect(ids[0]).not.toEqual(ids[1]);
});

test.each([
  ['local time that is called UTC', 8 * 3_600_000, 0, true],
  ['a clock that is an hour behind, as it tells', -3_600_000, -3_600_000, undefined],
  ['a clock that is off by some minutes', -400_000, 0, undefined],
  ['local time of a device that does not tell its clock', 8 * 3_600_000, null, undefined],
])('the zone of a time is doubted where its clock tells another: %s', (_, off, clockOff, zoneDoubted) => {
  const at = new Date(START + off).toISOString();
  const told = headersOf(NOBODY, { at: START, deviceAt: START + off, clockOff });
  const parts = new Heard().take(pulled([notification({ at })], START + off), 0).parts;
  const [one] = onvif.parse(parts, {}, { headers: told });
  expect(one?.what === 'occurrence' && one.time?.zoneDoubted).toBe(zoneDoubted);
  const [empty] = onvif.parse(new Heard().take(pulled([], START + off), 0).parts, {}, { headers: told });
  expect(empty?.what === 'heartbeat' && empty.time?.zoneDoubted).toBe(zoneDoubted);
});

test('a change that is told as a beginning is one, and what a subscription begins with is none', () => {
  const states = (...all: [operation: string, state: string][]): unknown => {
    const texts = all.map(([operation, State], second) =>
      notification({ operation, data: { State }, at: new Date(START + second * 1000).toISOString() }),
    );
    return occurrences([pulled(texts, START)]).map((one) => one.what === 'occurrence' && one.state);
  };
  const began = (state: string): [string, string] => ['Initialized', state];
  expect(states(began('false'), began('true'), began('false'), began('true'))).toEqual([
    'ended',
    'active',
    'ended',
    'active',
  ]);
  expect(states(began('true'), began('true'))).toEqual([]);
  const old = notification({ operation: 'Initialized', data: { State: 'true' }, at: '2025-01-01T00:00:00Z' });
  const known = notification({ data: { State: 'false' }, at: new Date(START).toISOString() });
  expect(occurrences([pulled([known, old], START)])).toMatchObject([{ state: 'ended' }]);
  expect(states(['Changed', 'false'], began('true'))).toEqual(['ended', 'active']);
  expect(states(['Changed', 'true'], began('true'))).toEqual(['active']);
});

test('members of several kinds of objects are an alarm each', () => {
  const state = (data: Record<string, string>): unknown =>
    occurrences([pulled([notification({ data, at: new Date(START).toISOString() })], START)]).map(
      (one) => one.what === 'occurrence' && one.state,
    );
  expect(state({ IsPeople: 'false', IsVehicle: 'true' })).toEqual(['ended', 'active']);
  expect(state({ IsPeople: 'false', IsVehicle: 'false' })).toEqual(['ended', 'ended']);
});

test('an answer that is cut anywhere has what was whole in it, and nothing else', () => {
  const texts = ['1', '2', '3'].map((Rule) => notification({ source: { Rule } }));
  const answer = pulled(texts);
  const alarms = occurrences([answer]);
  fc.assert(
    fc.property(fc.nat(answer.length), (length) => {
      const cut = answer.slice(0, length);
      const whole = cut.split('</wsnt:NotificationMessage').length - 1;
      expect(occurrences([cut])).toEqual(alarms.slice(0, whole));
    }),
    { numRuns: 60 },
  );
});

test('the digest of a token is that of the example in the guide for programmers of ONVIF', () => {
  const token = usernameToken({
    user: 'us<er',
    password: 'userpassword',
    nonce: Buffer.from('LKqI6G/AikKCQrN0zqZFlg==', 'base64'),
    created: Date.parse('2010-09-16T07:50:45Z'),
  });
  expect(token).toContain('us&lt;er');
  expect(token).toContain('#PasswordDigest">tuOSpGlFlIXsozq4HFNeeGeFLEI=<');
});

test.each([
  [
    'declared where it stands',
    '<x:Id xmlns:x="urn:x">7</x:Id>',
    '<x:Id xmlns:x="urn:x" xmlns:wsa="http://www.w3.org/2005/08/addressing" wsa:IsReferenceParameter="true">7</x:Id>',
  ],
  [
    'declared further out, with more within',
    '<dom0:Id><dom0:No>7</dom0:No></dom0:Id>',
    '<dom0:Id xmlns:dom0="http://www.axis.com/2009/event" xmlns:wsa="http://www.w3.org/2005/08/addressing" ' +
      'wsa:IsReferenceParameter="true"><dom0:No>7</dom0:No></dom0:Id>',
  ],
  ['none', '', ''],
])('what a device wants back is given back with its namespaces: %s', (_, parameters, expected) => {
  const answer = soap(
    '<tev:SubscriptionReference><wsa5:Address>http://10.0.0.9:1234/sub?i=1&amp;k=2</wsa5:Address>' +
      `<wsa5:ReferenceParameters>${parameters}</wsa5:ReferenceParameters></tev:SubscriptionReference>`,
  );
  expect(endpointIn(answer)).toEqual({
    path: '/sub?i=1&k=2',
    address: 'http://10.0.0.9:1234/sub?i=1&k=2',
    parameters: expected,
  });
});

test.each([
  ['Sender not Authorized', ['Sender', 'NotAuthorized']],
  [
    'The action requested requires authorization and the sender is not authorized',
    ['Sender', 'NotAuthorized'],
  ],
  ['HTTP Error: 401 Unauthorized', ['Sender', 'NotAuthorized']],
  ['Wsse authorized time check failed.', ['Sender', 'MessageExpired']],
  ['The subscription has expired', ['Sender']],
])('a fault that leaves out its code is known by what it says: %s', (reason, codes) => {
  const text = soap(
    '<SOAP-ENV:Fault><SOAP-ENV:Code><SOAP-ENV:Value>SOAP-ENV:Sender</SOAP-ENV:Value></SOAP-ENV:Code>' +
      `<SOAP-ENV:Reason><SOAP-ENV:Text>${reason}</SOAP-ENV:Text></SOAP-ENV:Reason></SOAP-ENV:Fault>`,
  );
  expect(faultIn(text)).toMatchObject({ codes, reason });
});

test.each([
  ['10.0.0.9/onvif/sub?i=1', '/onvif/sub?i=1'],
  ['10.0.0.9:8899/onvif/sub', '/onvif/sub'],
  ['cam.local:8899/sub', '/sub'],
  ['/onvif/sub', '/onvif/sub'],
  ['https://cam.local:8443/sub', '/sub'],
  ['', '/events?x=1'],
  ['urn:uuid:1', '/events?x=1'],
])('the address of a subscription is written in many ways: %s', (address, path) => {
  const answer = soap(
    `<tev:SubscriptionReference><wsa5:Address>${address}</wsa5:Address></tev:SubscriptionReference>`,
  );
  const service = { path: '/events?x=1', address: 'http://10.0.0.9/events?x=1' };
  expect(endpointIn(answer, service)?.path ?? null).toBe(path);
});

const ENDPOINT =
  '<tev:SubscriptionReference><wsa5:Address>http://10.0.0.9/sub</wsa5:Address></tev:SubscriptionReference>';

test.each([
  ['a fault', '<s:Fault ', faultIn, { codes: [], reason: 'a document has no Fault' }],
  [
    'an element',
    '<a:Service ',
    (text: string) => ({ found: elementOf(text, 'Service') }),
    { found: 'a document has no Service' },
  ],
  [
    'a time',
    '<wsnt:CurrentTime ',
    (text: string) => timesIn(`<PullMessagesResponse>${text}`, 'PullMessagesResponse'),
    { now: null, end: null },
  ],
  [
    'a header',
    '<wsa5:ReferenceParameters>',
    (text: string) => endpointIn(soap(ENDPOINT) + text),
    { path: '/sub', parameters: '' },
  ],
  ['a notification', '<wsnt:NotificationMessage>', notificationsOf, { whole: [] }],
])(
  'a megabyte in which %s begins again and again and never ends is read once',
  { timeout: 20_000 },
  (_, opening, read, expected) => {
    expect(read(opening.repeat(Math.floor(1_000_000 / opening.length)))).toMatchObject(expected);
  },
);
