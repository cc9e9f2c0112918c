// Releases of the site as a vendor signs them, and how they come to headquarters.
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  keyName,
  type Manifest,
  type SignedManifest,
  signManifest,
} from '../../common/uplink/upgrade/manifest.ts';
import { adminCall, type Answer, expectStatus, request } from './request.ts';

export const vendor: { privateKey: KeyObject; publicKey: KeyObject } = generateKeyPairSync('ed25519');
export const vendorKey = keyName(vendor.publicKey);

export const packageOf = (version: string, size = 5_000): Buffer => Buffer.alloc(size, `${version} `);

export const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export function documentOf(version: string, bytes: Buffer, more: Partial<Manifest> = {}): SignedManifest {
  const one = { architecture: 'amd64', name: `fieldline-site_${version}_amd64.deb` } as const;
  const packages = [{ ...one, size: bytes.length, sha256: digest(bytes) }];
  const manifest = { format: 1, product: 'fieldline-site', version, made_at: 1, packages, ...more } as const;
  return signManifest(manifest as Manifest, vendor);
}

interface At {
  hub: { url: string };
  adminKey: string;
}

/** Puts the bytes of a package, as a browser or the command line does. */
export const upload = ({ hub, adminKey }: At, version: string, bytes: Buffer): Promise<Answer> =>
  request({
    url: hub.url,
    method: 'PUT',
    path: `/api/core/releases/${version}/packages/amd64`,
    headers: { 'x-admin-key': adminKey, 'content-type': 'application/octet-stream' },
    body: bytes,
  });

/** A release with its package. */
export async function release(at: At, version: string): Promise<Buffer> {
  const bytes = packageOf(version);
  const path = '/api/core/releases';
  expectStatus(await adminCall(at.hub.url, at.adminKey, 'POST', path, documentOf(version, bytes)), 201);
  expectStatus(await upload(at, version, bytes), 201);
  return bytes;
}
