/**
 * A release: the packages of one version of the site, and the signed document that names them (DESIGN.md,
 * "Upgrades"). `fieldline-release` makes the document where the private key is, which is never at
 * headquarters nor at a site. Whoever installs checks the signature over the very bytes of the manifest, and
 * reads those bytes alone; the digests in them stand for the packages.
 */
import { createHash, type KeyObject, sign, verify } from 'node:crypto';
import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';

export const RELEASE_PRODUCT = 'fieldline-site';
export const architectures = ['amd64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** Bytes of a package, and characters of the signed document, at most. */
export const MAX_PACKAGE = 256 * 1024 * 1024;
export const MAX_DOCUMENT = 16_384;

/** Three numbers, each without a sign or leading zeros: what dpkg and this program order alike. */
const number = '(?:0|[1-9][0-9]{0,5})';
const VERSION = new RegExp(`^${number}\\.${number}\\.${number}$`);
export const releaseVersion = z.string().check(z.regex(VERSION));

export const sha256Text = z.string().check(z.regex(/^[0-9a-f]{64}$/));

export const releasePackage = z.object({
  architecture: z.enum(architectures),
  name: z.string().check(z.regex(/^[a-z0-9][A-Za-z0-9._+~-]{0,127}\.deb$/)),
  size: z.int().check(z.minimum(1), z.maximum(MAX_PACKAGE)),
  sha256: sha256Text,
});
export type ReleasePackage = z.infer<typeof releasePackage>;

export const manifestForm = z.object({
  format: z.literal(1),
  product: z.literal(RELEASE_PRODUCT),
  version: releaseVersion,
  /** Epoch ms. */
  made_at: z.int().check(z.minimum(0)),
  packages: z
    .array(releasePackage)
    .check(z.minLength(1), z.maxLength(architectures.length))
    .check(z.refine((all) => new Set(all.map((one) => one.architecture)).size === all.length)),
});
export type Manifest = z.infer<typeof manifestForm>;

/** What is signed, in base64, with the signature and the name of the key that made it. */
export const signedManifest = z.object({
  manifest: z.string().check(z.regex(/^[A-Za-z0-9+/]+={0,2}$/), upTo(MAX_DOCUMENT)),
  /** Of the public key (`keyName`). */
  key: z.string().check(z.regex(/^[0-9a-f]{16}$/)),
  signature: z.string().check(z.regex(/^[A-Za-z0-9+/]{86}==$/)),
});
export type SignedManifest = z.infer<typeof signedManifest>;

/** Stands before what is signed, so that the key's signature over anything else is none over a release. */
const DOMAIN = Buffer.from('fieldline release 1\n');

/** Of the public half, whichever of the two is given: 16 hex digits that people can compare. */
export function keyName(publicKey: KeyObject): string {
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex')
    .slice(0, 16);
}

/** @param keys an Ed25519 pair */
export function signManifest(
  manifest: Manifest,
  keys: { privateKey: KeyObject; publicKey: KeyObject },
): SignedManifest {
  const bytes = Buffer.from(JSON.stringify(manifestForm.parse(manifest)));
  return {
    manifest: bytes.toString('base64'),
    key: keyName(keys.publicKey),
    signature: sign(null, Buffer.concat([DOMAIN, bytes]), keys.privateKey).toString('base64'),
  };
}

/** Whether one of these keys signed it. Nothing of the manifest is to be relied on before. */
export function isSignedBy(document: SignedManifest, publicKeys: readonly KeyObject[]): boolean {
  const signed = Buffer.concat([DOMAIN, Buffer.from(document.manifest, 'base64')]);
  const signature = Buffer.from(document.signature, 'base64');
  return publicKeys.some(
    (key) => key.asymmetricKeyType === 'ed25519' && verify(null, signed, key, signature),
  );
}

/** What the document says, whoever signed it; null for what is no manifest. */
export function manifestOf(document: SignedManifest): Manifest | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(document.manifest, 'base64').toString('utf8'));
    return manifestForm.safeParse(value).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** @returns below 0 where `a` is the older one. Both are versions of releases. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  return left.reduce((sum, part, at) => (sum === 0 ? part - (right[at] ?? 0) : sum), 0);
}
