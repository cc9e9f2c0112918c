// Secrets that the administrator keeps as files in one directory (CORE_SECRETS_DIR). A file is lines of
// `use=`, `host=`, `tenant=` (left out: of no tenant) and `secret=`; empty lines and comments (#) may stand.
import { join } from 'node:path';
import { SecretError } from '../../secret/secret.ts';
import { readSmallFile } from '../../secret/secret-file.ts';
import { readHost, SECRET_NAME } from './decide.ts';
import { type SecretBinding, secretUses } from './record.ts';

const MAX_FILE = 4 * 1024;
const MEMBERS = ['use', 'host', 'tenant', 'secret'] as const;
type Member = (typeof MEMBERS)[number];

/** @throws SecretError, which says what is wrong with the file: for the log, not for callers */
export function readDirectorySecret(
  directory: string | null,
  name: string,
): SecretBinding & { secret: string } {
  if (directory === null) throw new SecretError('no directory of secrets is configured (CORE_SECRETS_DIR)');
  if (!SECRET_NAME.test(name)) throw new SecretError('not the name of a secret');
  const path = join(directory, name);
  try {
    return parseSecretFile(readSmallFile(path, { maxBytes: MAX_FILE, followLinks: false }));
  } catch (cause) {
    throw new SecretError(`${path}: ${(cause as { code?: string }).code ?? (cause as Error).message}`, cause);
  }
}

/** @throws Error that names the fault, never the secret */
export function parseSecretFile(text: string): SecretBinding & { secret: string } {
  const found: Partial<Record<Member, string>> = {};
  for (const line of text.split(/\r?\n/)) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const at = line.indexOf('=');
    const member = MEMBERS.find((one) => one === line.slice(0, Math.max(0, at)).trim());
    if (!member) throw new Error(`a line is none of ${MEMBERS.map((one) => `${one}=`).join(', ')}`);
    if (found[member] !== undefined) throw new Error(`${member} stands there twice`);
    found[member] = member === 'secret' ? line.slice(at + 1) : line.slice(at + 1).trim();
  }
  const use = secretUses.find((one) => one === found.use);
  const host = found.host === undefined ? null : readHost(found.host);
  if (!use) throw new Error(`use must be one of ${secretUses.join(', ')}`);
  if (host === null) throw new Error('host must be a host, with its port where the address names one');
  if (!found.secret) throw new Error('secret is missing');
  return { use, host, tenantCode: found.tenant ?? null, secret: found.secret };
}
