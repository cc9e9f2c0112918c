import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { UsageError } from '../../common/terminal/command.ts';
import type { SetupMessages } from './setup/setup-messages.ts';

/** Where `setup` keeps the certificate for the service, which reads no file of a person's home. */
export const authorityBeside = (file: string): string => path.join(path.dirname(file), 'headquarters-ca.pem');

/**
 * The certificates in a file.
 * @throws UsageError for one that holds none @throws what the file system does
 */
export function readAuthority(file: string, w: SetupMessages): string {
  const text = readFileSync(file, 'utf8');
  try {
    // Each is looked at: Node passes over a file that it cannot read with a warning alone.
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [text];
    return certificates.map((one) => new X509Certificate(one).toString()).join('');
  } catch (error) {
    throw new UsageError(w('badAuthority', { file, fault: (error as Error).message }));
  }
}

/** From now on this process trusts these certificates beside those that it trusts already. */
export function trust(certificates: string): void {
  setDefaultCACertificates([...getCACertificates('default'), certificates]);
}
