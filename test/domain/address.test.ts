// Where outgoing connections may go: address by address.
import { describe, expect, test } from 'vitest';
import {
  addressAllowed,
  checkLiteral,
  outerNetworks,
  parseNetworks,
  PRIVATE_NETWORKS,
  publicNetworks,
} from '../../common/http/outbound/address.ts';

describe('everything but the inner networks', () => {
  const networks = outerNetworks(null);

  test.each([
    '93.184.216.34',
    '10.0.0.9',
    '192.168.1.1',
    '172.16.0.1',
    '2606:2800:220:1::1',
    'fd12::1',
    '::ffff:10.0.0.9',
    '64:ff9b::10.0.0.9',
    '2002:0a00:0009::1',
    '100.100.100.201',
  ])('%s is open', (address) => {
    expect(addressAllowed(address, networks)).toBe(true);
  });

  test.each([
    ['this host', '127.0.0.1'],
    ['this host, another name', '127.9.9.9'],
    ['any address of this host', '0.0.0.0'],
    ['metadata', '169.254.169.254'],
    ['a group', '224.0.0.1'],
    ['everybody', '255.255.255.255'],
    ['this host, IPv6', '::1'],
    ['any, IPv6', '::'],
    ['the link', 'fe80::1'],
    ['the link, with a zone', 'fe80::1%eth0'],
    ['a group, IPv6', 'ff02::1'],
    ['metadata, IPv6', 'fd00:ec2::254'],
    ['metadata elsewhere', '100.100.100.200'],
    ['mapped', '::ffff:127.0.0.1'],
    ['mapped in hex', '::ffff:a9fe:a9fe'],
    ['IPv4-compatible', '::127.0.0.1'],
    ['NAT64', '64:ff9b::169.254.169.254'],
    ['local NAT64', '64:ff9b:1::7f00:1'],
    ['local NAT64, its own form', '64:ff9b:1:a9fe:a9:fe00::'],
    ['6to4', '2002:7f00:1::1'],
    ['Teredo', '2001:0:1:2:3:4:5601:5601'],
  ])('%s is closed: %s', (_, address) => {
    expect(addressAllowed(address, networks)).toBe(false);
  });
});

describe('listed networks', () => {
  test('an inner network is open only when it is listed itself, not by a wider one', () => {
    expect(addressAllowed('127.0.0.1', outerNetworks(parseNetworks(['0.0.0.0/0'])))).toBe(false);
    expect(addressAllowed('127.0.0.1', outerNetworks(parseNetworks(['127.0.0.0/8'])))).toBe(true);
    expect(addressAllowed('127.0.0.1', outerNetworks(parseNetworks(['127.0.0.1/32'])))).toBe(true);
    expect(addressAllowed('127.0.0.2', outerNetworks(parseNetworks(['127.0.0.1/32'])))).toBe(false);
    expect(addressAllowed('::1', outerNetworks(parseNetworks(['::1/128'])))).toBe(true);
  });

  test('nothing else is open', () => {
    const networks = outerNetworks(parseNetworks(['10.0.0.0/8']));
    expect(addressAllowed('10.1.2.3', networks)).toBe(true);
    expect(addressAllowed('93.184.216.34', networks)).toBe(false);
    expect(addressAllowed('64:ff9b::10.1.2.3', networks)).toBe(false);
  });

  test('a plain list is only what it names', () => {
    const networks = parseNetworks(PRIVATE_NETWORKS);
    expect(addressAllowed('192.168.1.1', networks)).toBe(true);
    expect(addressAllowed('127.0.0.1', networks)).toBe(false);
    expect(addressAllowed('93.184.216.34', networks)).toBe(false);
  });
});

describe('addresses of this machine', () => {
  const own = (): string[] => ['192.168.1.10', 'fd12::10', 'fe80::1%eth0'];

  test.each([
    ['everywhere', outerNetworks(null)],
    ['private networks', outerNetworks(parseNetworks(PRIVATE_NETWORKS))],
    ['the Internet', publicNetworks(parseNetworks(PRIVATE_NETWORKS))],
  ])('are closed where %s may be reached', (_, networks) => {
    for (const address of ['192.168.1.10', '::ffff:192.168.1.10', '64:ff9b::192.168.1.10', 'fd12::10'])
      expect(addressAllowed(address, networks, own)).toBe(false);
    for (const address of ['192.168.1.11', 'fd12::11'])
      expect(addressAllowed(address, networks, own)).toBe(true);
  });

  test('are open each by its own name, not by a network around it', () => {
    expect(
      addressAllowed(
        '192.168.1.10',
        outerNetworks(parseNetworks(['192.168.0.0/16', '192.168.1.10/32'])),
        own,
      ),
    ).toBe(true);
    expect(addressAllowed('fd12::10', outerNetworks(parseNetworks(['fd12::/16', 'fd12::10/128'])), own)).toBe(
      true,
    );
    expect(addressAllowed('192.168.1.10', outerNetworks(parseNetworks(['192.168.1.8/29'])), own)).toBe(false);
  });
});

test.each([
  'http://0x7f.1/',
  'http://2130706433/',
  'http://127.1/',
  'http://[::ffff:127.0.0.1]/',
  'http://127.0.0.1./',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://017700000001/',
])('%s is this host however it is written', (url) => {
  expect(() => checkLiteral(new URL(url).hostname, outerNetworks(null))).toThrow(
    /outside the allowed networks/,
  );
});
