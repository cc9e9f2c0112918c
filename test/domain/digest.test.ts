// Digest as a client and as a server: the examples of RFC 7616 (3.9), and what devices do with it.
import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import {
  answerable,
  type Challenge,
  challengesOf,
  digestAnswer,
  isStale,
} from '../../site/intake/connection/digest.ts';
import { directives, PasswordCheck } from '../../site/intake/device/caller.ts';
import type { Device } from '../../site/intake/record.ts';

const asked = (header: string): Challenge => {
  const found = answerable(challengesOf(header));
  if (!found) throw new Error('nothing that can be answered');
  return found;
};
const MUFASA = {
  user: 'Mufasa',
  password: 'Circle of Life',
  method: 'GET',
  uri: '/dir/index.html',
  count: 1,
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};
const offer = (algorithm: string): string =>
  'Digest realm="http-auth@example.org", qop="auth, auth-int", ' +
  `algorithm=${algorithm}, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", ` +
  'opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';

test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('RFC 7616, 3.9.1: %s', (algorithm, response) => {
  const told = directives(digestAnswer(asked(offer(algorithm)), MUFASA));
  expect(told).toEqual({
    username: 'Mufasa',
    realm: 'http-auth@example.org',
    uri: '/dir/index.html',
    algorithm,
    nonce: '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v',
    nc: '00000001',
    cnonce: MUFASA.cnonce,
    qop: 'auth',
    response,
    opaque: 'FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS',
  });
});

const JASON = {
  user: 'Jäsøn Doe',
  password: 'Secret, or not?',
  method: 'GET',
  uri: '/doe.json',
  count: 1,
  cnonce: 'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
};
const DOE =
  'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, ' +
  'nonce="5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK", ' +
  'opaque="HRPCssKJSGjCrkzDg8OhwpzCiGPChXYjwrI2QmXDnsOS", charset=UTF-8';

// As corrected by erratum 4897: the page of the RFC has the first 256 bits of SHA-512 instead.
test('RFC 7616, 3.9.2: SHA-512-256 with userhash, and the user encoded without', () => {
  expect(directives(digestAnswer(asked(`${DOE}, userhash=true`), JASON))).toMatchObject({
    username: '793263caabb707a56211940d90411ea4a575adeccb7e360aeb624ed06ece9b0b',
    userhash: 'true',
    algorithm: 'SHA-512-256',
    response: '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
  });
  const plain = digestAnswer(asked(`${DOE}, userhash=false`), JASON);
  expect(plain).toContain("username*=UTF-8''J%C3%A4s%C3%B8n%20Doe,");
  expect(plain).not.toContain('userhash');
  expect(plain).toContain('3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5');
});

test('a realm in another encoding counts, and is given back, by its bytes', () => {
  const realm = Buffer.from('登录').toString('latin1');
  const answer = digestAnswer(asked(`Digest realm="${realm}", nonce="n"`), MUFASA);
  const secret = hash('md5', 'Mufasa:登录:Circle of Life');
  expect(directives(answer)).toMatchObject({
    realm,
    response: hash('md5', `${secret}:n:${hash('md5', 'GET:/dir/index.html')}`),
  });
});

test('without qop there is neither count nor cnonce (RFC 2069)', () => {
  const header =
    'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c"';
  const told = directives(digestAnswer(asked(header), MUFASA));
  const md5 = (text: string): string => hash('md5', text);
  const secret = md5('Mufasa:testrealm@host.com:Circle of Life');
  expect(told).toEqual({
    username: 'Mufasa',
    realm: 'testrealm@host.com',
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    uri: '/dir/index.html',
    opaque: '5ccc069c',
    response: md5(`${secret}:dcd98b7102dd2f0e8b11d0f600bfb0c093:${md5('GET:/dir/index.html')}`),
  });
});

test.each([
  [
    'the first of several that can be answered',
    `${offer('SHA-3')}, ${offer('SHA-256')}, ${offer('MD5')}`,
    'SHA-256',
  ],
  ['after another scheme', `Basic realm="x", ${offer('MD5')}`, 'MD5'],
])('answered is %s', (_, header, algorithm) => {
  expect(asked(header).params.algorithm).toBe(algorithm);
});

test.each([
  ['stale=true', true],
  ['stale="TRUE"', true],
  ['stale=false', false],
  ['x=1', false],
])('a nonce that grew old is told from a wrong password: %s', (word, stale) => {
  expect(isStale(asked(`${offer('MD5')}, ${word}`))).toBe(stale);
});

test('auth-int alone cannot be answered', () => {
  expect(answerable(challengesOf('Digest realm="x", nonce="y", qop="auth-int"'))).toBeNull();
});

test.each(['MD5', 'SHA-256'])(
  'a device that answers our challenge is let in, and an old one is stale: %s',
  (algorithm) => {
    let now = Date.UTC(2026, 0, 1);
    const check = new PasswordCheck(Buffer.alloc(32, 7), () => now);
    const device = { config: { auth: 'digest' } } as Device;
    const header = String(
      (check.challenge(device, false) as { headers?: Record<string, string> }).headers?.['WWW-Authenticate'],
    );
    expect(header).not.toContain('stale');
    const challenge = challengesOf(header).find(({ params }) => params.algorithm === algorithm);
    if (!challenge) throw new Error(`no ${algorithm}`);
    const shown = (password: string, count: number) => {
      const answer = { ...MUFASA, user: 'fieldline', password, count, method: 'POST', uri: '/in/x' };
      const authorization = digestAnswer(challenge, answer);
      const request = { method: 'POST', url: '/in/x', headers: { authorization } };
      return check.shown(device, 'right', request as unknown as IncomingMessage);
    };
    expect([shown('right', 1), shown('right', 2), shown('wrong', 3)]).toEqual(['right', 'right', 'wrong']);
    now += 25 * 3_600_000;
    expect([shown('right', 4), shown('wrong', 5)]).toEqual(['stale', 'wrong']);
    expect(JSON.stringify(check.challenge(device, true))).toContain('stale=true');
  },
);
