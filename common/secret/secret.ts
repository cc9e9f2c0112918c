import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { seal, unseal } from './sealing.ts';
import { NotASecretFile, readSmallFile } from './secret-file.ts';

/**
 * Secrets by reference (DESIGN.md, "Secrets"): `env:NAME`, `file:/path`, `cred:NAME`
 * (a systemd credential) and, where a table must hold a recoverable secret, `vault:NAME` (a file of the
 * program's own folder of secrets, which may be moved) or
 * `sealed:<base64url>` (AES-256-GCM under the program's master key). Only configuration
 * and what the programs themselves keep is read so; what the API names goes through `SecretResolver`.
 */
export interface SecretSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of systemd credentials, when there is one. */
  credentialsDirectory?: string | undefined;
  /** 32 bytes; opens `sealed:` references. */
  masterKey?: Buffer | undefined;
  /** Folder of a `FileVault`; opens `vault:` references. */
  vaultDirectory?: string | undefined;
}

export class SecretError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'SecretError';
  }
}

/** As `FileVault` names its files. */
const VAULT_NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** Bytes of a referenced file: a chain of certificates is the largest. */
const MAX_FILE = 64 * 1024;

/** @throws SecretError that names the reference, never the secret */
export function readSecret(ref: string, sources: SecretSources): string {
  const [scheme, rest] = [ref.slice(0, ref.indexOf(':')), ref.slice(ref.indexOf(':') + 1)];
  const value = readBy(scheme, rest, ref, sources);
  if (value === '') throw new SecretError(`${shown(ref)} is empty`);
  return value;
}

function readBy(scheme: string, rest: string, ref: string, sources: SecretSources): string {
  switch (scheme) {
    case 'env': {
      const value = sources.env[rest];
      if (value === undefined) throw new SecretError(`${ref}: there is no such environment variable`);
      return value;
    }
    case 'file':
      if (!isAbsolute(rest)) throw new SecretError(`${ref}: the path must be absolute`);
      return fromFile(rest, ref);
    case 'cred':
      if (!sources.credentialsDirectory)
        throw new SecretError(`${ref}: this process was given no credentials directory`);
      if (!/^[A-Za-z0-9._-]+$/.test(rest)) throw new SecretError(`${ref}: not a credential name`);
      return fromFile(join(sources.credentialsDirectory, rest), ref);
    case 'vault':
      if (!sources.vaultDirectory) throw new SecretError(`${ref}: this program keeps no such folder`);
      if (!VAULT_NAME.test(rest)) throw new SecretError(`${ref}: not the name of a kept secret`);
      return fromFile(join(sources.vaultDirectory, rest), ref);
    case 'sealed':
      if (!sources.masterKey)
        throw new SecretError('a sealed secret needs the master key (CORE_MASTER_KEY_REF)');
      return opened(rest, sources.masterKey);
    default:
      throw new SecretError(`${shown(ref)} is not a reference: use env:NAME, file:/path or cred:NAME`);
  }
}

function fromFile(path: string, ref: string): string {
  try {
    return readSmallFile(path, { maxBytes: MAX_FILE, followLinks: true }).replace(/\r?\n$/, '');
  } catch (cause) {
    if (cause instanceof NotASecretFile) throw new SecretError(`${ref}: ${cause.message}`, cause);
    throw new SecretError(
      `${ref}: cannot be read (${(cause as { code?: string }).code ?? 'unknown error'})`,
      cause,
    );
  }
}

/** What is not a reference may be a secret that was put in its place. */
function shown(ref: string): string {
  return /^(?:env|file|cred|vault):/.test(ref) ? ref : `a value of ${ref.length} characters`;
}

/** Keeps generated secrets and hands out references to them. */
export interface SecretVault {
  put(name: string, secret: string): string;
  /** Forgets a secret that `put` kept; other references are left alone. */
  forget(ref: string): void;
}

/** One file a secret, mode 0600, in a directory of its own. A reference has the name of the file alone. */
export class FileVault implements SecretVault {
  #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    chmodSync(directory, 0o700);
  }

  put(name: string, secret: string): string {
    const file = `${name.replace(/[^A-Za-z0-9._-]/g, '_').replace(/^\./, '_')}-${randomBytes(4).toString('hex')}`;
    writeFileSync(join(this.#directory, file), secret, { mode: 0o600, flag: 'wx', flush: true });
    return `vault:${file}`;
  }

  forget(ref: string): void {
    const name = ref.slice('vault:'.length);
    if (ref.startsWith('vault:') && VAULT_NAME.test(name))
      rmSync(join(this.#directory, name), { force: true });
  }
}

/** Keeps the secret in the reference itself, sealed, for stores that several processes share. */
export class SealedVault implements SecretVault {
  #masterKey: Buffer;

  constructor(masterKey: Buffer) {
    this.#masterKey = masterKey;
  }

  put(_name: string, secret: string): string {
    return `sealed:${seal(secret, this.#masterKey)}`;
  }

  forget(): void {
    // The reference is the only copy; dropping the row forgets it.
  }
}

function opened(text: string, masterKey: Buffer): string {
  try {
    return unseal(text, masterKey);
  } catch (cause) {
    throw new SecretError('a sealed secret does not open with this master key', cause);
  }
}

/** 256 random bits, URL-safe, with a visible prefix. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}
