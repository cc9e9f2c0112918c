// A release: who may have signed it, and what it can say.
import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  compareVersions,
  isSignedBy,
  keyName,
  type Manifest,
  manifestOf,
  signedManifest,
  signManifest,
} from '../../common/uplink/upgrade/manifest.ts';

const [ours, theirs] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
const ONE: Manifest = {
  ...{ format: 1, product: 'fieldline-site', version: '1.2.3', made_at: 1 },
  packages: [{ architecture: 'amd64', name: 'x.deb', size: 10, sha256: 'a'.repeat(64) }],
};
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');

test('the signature of one key holds for the very bytes, whichever of several keys it is', () => {
  const signed = signManifest(ONE, ours);
  expect(signedManifest.parse(signed)).toEqual(signed);
  expect([signed.key, manifestOf(signed)]).toEqual([keyName(ours.publicKey), ONE]);
  expect(isSignedBy(signed, [theirs.publicKey, ours.publicKey])).toBe(true);
  expect(isSignedBy(signed, [theirs.publicKey])).toBe(false);
  expect(isSignedBy(signed, [])).toBe(false);
  // The name of another key is no signature of it.
  expect(isSignedBy({ ...signed, key: keyName(theirs.publicKey) }, [theirs.publicKey])).toBe(false);
  const other = { ...signed, manifest: base64({ ...ONE, version: '1.2.4' }) };
  expect(isSignedBy(other, [ours.publicKey])).toBe(false);
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  expect(isSignedBy(signed, [rsa.publicKey])).toBe(false);
});

test.each<[string, unknown]>([
  ['another product', { ...ONE, product: 'fieldline-hq' }],
  ['a version that dpkg orders otherwise', { ...ONE, version: '1.2.3~rc1' }],
  ['two packages of one kind', { ...ONE, packages: [ONE.packages[0], ONE.packages[0]] }],
  ['a name with a path', { ...ONE, packages: [{ ...ONE.packages[0], name: '../x.deb' }] }],
  ['no packages', { ...ONE, packages: [] }],
  ['one that is too large', { ...ONE, packages: [{ ...ONE.packages[0], size: 2 ** 40 }] }],
])('%s is no release', (_what, value) => {
  expect(manifestOf({ manifest: base64(value), key: '', signature: '' })).toBeNull();
});

test('what is no JSON is no release, and versions are ordered by number', () => {
  expect(manifestOf({ manifest: 'AAAA', key: '', signature: '' })).toBeNull();
  expect(compareVersions('1.10.0', '1.9.9')).toBeGreaterThan(0);
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  expect(compareVersions('0.9.9', '1.0.0')).toBeLessThan(0);
});
