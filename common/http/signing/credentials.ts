import { readSecret, type SecretSources } from '../../secret/secret.ts';

/** Reads a certificate and its key by reference. @throws SecretError */
export function readTls(
  refs: { certRef: string; keyRef: string } | null,
  secrets: SecretSources,
): { cert: Buffer; key: Buffer } | undefined {
  if (!refs) return undefined;
  return {
    cert: Buffer.from(readSecret(refs.certRef, secrets)),
    key: Buffer.from(readSecret(refs.keyRef, secrets)),
  };
}

/** A signing key as it is handed over: `<key id>:<secret>`. @throws Error that does not show the text */
export function readKeyText(ref: string, secrets: SecretSources): { keyId: string; secret: string } {
  const text = readSecret(ref, secrets).trim();
  const at = text.indexOf(':');
  // The answer that handed it out, saved as it was, has a colon too.
  if (!/^[\w.-]+$/.test(text.slice(0, at)) || at === text.length - 1)
    throw new Error(`${ref} must hold <key id>:<secret> and nothing else`);
  return { keyId: text.slice(0, at), secret: text.slice(at + 1) };
}
