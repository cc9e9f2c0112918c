// Where webhooks may go: no form of an inner address, directly, by name, or by a name that changes its mind.
import type { LookupAddress } from 'node:dns';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addressAllowed,
  checkLiteral,
  parseNetworks,
  publicNetworks,
  type Resolve,
} from '../../../common/http/outbound/address.ts';
import { createHttpClient } from '../../../hq/http-client.ts';
import { OddReceiver } from '../../support/odd-receiver.ts';

let receiver: OddReceiver;
beforeAll(async () => {
  receiver = await new OddReceiver().open();
});
afterAll(() => receiver.close());

const INNER = [
  '127.0.0.1',
  '127.1.2.3',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '169.254.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '192.0.0.8',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12::1',
  'fd00:ec2::254',
  'fec0::1',
  'ff02::1',
  '2001:db8::1',
  '100::1',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a9fe:a9fe',
  '::127.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b::169.254.169.254',
  '64:ff9b:1::7f00:1',
  '2002:a00:1::1',
  '2002:7f00:1::1',
  '2001:0:1:2:3:4:5601:5601',
];
const LITERALS = [
  'http://127.1/',
  'http://0x7f000001/',
  'http://2130706433/',
  'http://0177.0.0.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[fe80::1]/',
  'http://①⑥⑨.254.169.254/',
];
const names =
  (...answers: string[]): Resolve =>
  (_host, _options, callback) => {
    const address = answers.length > 1 ? (answers.shift() as string) : (answers[0] as string);
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }] satisfies LookupAddress[]);
  };
const post = (resolve: Resolve, listed: string[] = []) =>
  createHttpClient(publicNetworks(parseNetworks(listed)), { keepAlive: false, resolve }).send({
    method: 'POST',
    url: receiver.url.replace('127.0.0.1', 'receiver.test') + '/200',
    body: '{}',
    timeoutMs: 2_000,
    keepAnswer: 10,
  });

test.each(INNER)('%s is closed, directly and by name', async (address) => {
  expect(addressAllowed(address, publicNetworks([]))).toBe(false);
  await expect(post(names(address.replace(/%.*/, '')))).rejects.toMatchObject({ code: 'address_refused' });
});

test.each(LITERALS)('%s is closed', (url) => {
  expect(() => checkLiteral(new URL(url).hostname, publicNetworks([]))).toThrow(
    /outside the allowed networks/,
  );
});

test.each(['93.184.216.34', '2606:2800:220:1::1', '64:ff9b::93.184.216.34'])('%s is open', (address) => {
  expect(addressAllowed(address, publicNetworks([]))).toBe(true);
});

test('a listed network is open, and what lies deeper stays closed', () => {
  const networks = publicNetworks(parseNetworks(['10.0.0.0/8', 'fd00::/8', '0.0.0.0/0']));
  expect(
    ['10.1.2.3', '64:ff9b::10.1.2.3', 'fd12::1', '93.184.216.34'].map((address) =>
      addressAllowed(address, networks),
    ),
  ).toEqual([true, true, true, true]);
  expect(
    ['fd00:ec2::254', '127.0.0.1', '169.254.169.254', '192.168.0.1'].map((address) =>
      addressAllowed(address, networks),
    ),
  ).toEqual([false, false, false, false]);
});

test('a name that changes between look-ups is judged each time, at the connection', async () => {
  const resolve = names('127.0.0.1', '169.254.169.254');
  expect((await post(resolve, ['127.0.0.0/8'])).status).toBe(200);
  await expect(post(resolve, ['127.0.0.0/8'])).rejects.toMatchObject({ code: 'address_refused' });
  await expect(post(resolve, ['127.0.0.0/8'])).rejects.toMatchObject({ code: 'address_refused' });
});

test('one refused address among several refuses the name', async () => {
  const both: Resolve = (_host, _options, callback) =>
    callback(null, [
      { address: '93.184.216.34', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]);
  await expect(post(both)).rejects.toMatchObject({ code: 'address_refused' });
});
