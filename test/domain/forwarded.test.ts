import { expect, test } from 'vitest';
import { callerAddress } from '../../common/http/forwarded.ts';
import { parseNetworks } from '../../common/http/outbound/address.ts';

const PROXIES = parseNetworks(['10.0.0.0/24', 'fd00::/8']);

test.each<[string, string, string | undefined, string]>([
  ['without the header', '10.0.0.1', undefined, '10.0.0.1'],
  ['from no trusted proxy the header is not believed', '192.0.2.9', '198.51.100.7', '192.0.2.9'],
  ['behind one proxy', '10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['behind two', '10.0.0.1', '198.51.100.7, 10.0.0.2', '198.51.100.7'],
  ['what the caller wrote itself is not believed', '10.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
  ['an address of a proxy that the caller wrote', '10.0.0.1', '10.0.0.9, 198.51.100.7', '198.51.100.7'],
  ['nothing but proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ['text that is no address', '10.0.0.1', 'unknown', '10.0.0.1'],
  ['an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['with a port', '10.0.0.1', '198.51.100.7:4711', '198.51.100.7'],
  ['IPv6 in brackets', 'fd00::1', '[2001:db8::5]:4711', '2001:db8::5'],
  ['a mapped proxy', '::ffff:10.0.0.1', '198.51.100.7', '198.51.100.7'],
  ['a local socket', '', '198.51.100.7', ''],
])('%s', (_, remote, header, caller) => {
  expect(callerAddress(remote, header, PROXIES)).toBe(caller);
});

test('no proxy is trusted unless one is named', () => {
  expect(callerAddress('10.0.0.1', '198.51.100.7', [])).toBe('10.0.0.1');
});
