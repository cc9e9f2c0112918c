// AES-256-GCM under a program's master key; a sealed text is base64url of nonce (12 bytes), tag (16),
// ciphertext.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

const [NONCE, TAG] = [12, 16];

/** Made of a master key once: bytes are made into a key with each use, which takes longer than to open. */
const made = new WeakMap<Buffer, KeyObject>();

function keyOf(bytes: Buffer): KeyObject {
  const known = made.get(bytes);
  if (known) return known;
  const key = createSecretKey(bytes);
  made.set(bytes, key);
  return key;
}

/** @param key 32 bytes @param bound what the text is for; it opens only with the same words */
export function seal(text: string, key: Buffer, bound = ''): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(key), nonce).setAAD(Buffer.from(bound));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** @throws Error when it was sealed under another key or for something else, or was changed */
export function unseal(sealed: string, key: Buffer, bound = ''): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(key), bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  }).setAAD(Buffer.from(bound));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
}
