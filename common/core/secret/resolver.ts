import { type FaultMessage } from '../../http/fault/fault.ts';
import { seal, unseal } from '../../secret/sealing.ts';
import { SecretError } from '../../secret/secret.ts';
import { bindingText, DIRECTORY_PREFIX, hostOf, MAKE_SECRET, misuse, SECRET_NAME } from './decide.ts';
import { readDirectorySecret } from './directory.ts';
import type { SecretPort } from './port.ts';
import type { NamedSecret, SecretBinding } from './record.ts';
import { saidOf } from './secret-fault-messages.ts';

/** Begins the secret that a row keeps itself, sealed; no caller can give one. */
const KEPT_PREFIX = 'kept:';

/** All that an answer says of a secret that does not open; the log has the reason. */
export const SECRET_UNUSABLE = 'the secret cannot be used; the log of the program says why';

export interface SecretResolverOptions {
  secrets: Pick<SecretPort, 'get'>;
  /** CORE_SECRETS_DIR; null: none. */
  directory: string | null;
  /** 32 bytes. */
  masterKey: Buffer;
}

/** What a secret is wanted for, and the row that wants it. */
export interface SecretRequest extends SecretBinding {
  /** Id of the row, for a secret that it keeps itself. */
  owner: string;
}

/**
 * The secrets that the API gives or names (DESIGN.md, "Secrets"): by name in the store, by name in the
 * directory of the administrator (`dir:NAME`), or sealed in the row that uses them. Each opens for its use,
 * its tenant and its host alone; files and variables of the machine are never read.
 */
export class SecretResolver {
  readonly #options: SecretResolverOptions;

  constructor(options: SecretResolverOptions) {
    this.#options = options;
  }

  /** @throws SecretError with the reason, which is for the log and for nobody who calls */
  async open(ref: string, wanted: SecretRequest): Promise<string> {
    if (ref.startsWith(KEPT_PREFIX))
      return this.#unseal(ref.slice(KEPT_PREFIX.length), bindingText({ owner: wanted.owner }, wanted));
    const { binding, secret } = await this.#find(ref, wanted.tenantCode);
    const why = misuse(binding, wanted);
    if (why !== null) throw new SecretError(`${ref} ${why}`);
    return secret();
  }

  /** The address that a reference names, whose host it is bound to. @throws SecretError as `open` */
  async address(ref: string, tenantCode: string | null): Promise<string> {
    const { binding, secret } = await this.#find(ref, tenantCode);
    const why = misuse(binding, { use: 'channel_address', tenantCode, host: binding.host });
    if (why !== null) throw new SecretError(`${ref} ${why}`);
    const url = secret();
    if (!URL.canParse(url) || hostOf(url) !== binding.host)
      throw new SecretError(`${ref} holds no address at ${binding.host}`);
    return url;
  }

  /** Why a caller's reference is not taken, in words that tell no more than that; null when it opens. */
  async refusal(ref: string, wanted: SecretBinding): Promise<FaultMessage | null> {
    if (!(await this.opens(() => this.open(ref, { ...wanted, owner: '' }))))
      return notUsable(wanted.use, wanted);
    return null;
  }

  async opens(read: () => Promise<unknown>): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (error) {
      if (error instanceof SecretError) return false;
      throw error;
    }
  }

  /** @returns the reference, which holds the only copy and is for the row alone */
  keep(secret: string, wanted: SecretRequest): string {
    return KEPT_PREFIX + seal(secret, this.#options.masterKey, bindingText({ owner: wanted.owner }, wanted));
  }

  sealNamed(
    secret: string,
    { name, ...binding }: Omit<NamedSecret, 'sealed' | 'createdAt' | 'updatedAt'>,
  ): string {
    return seal(secret, this.#options.masterKey, bindingText({ name }, binding));
  }

  async #find(
    ref: string,
    tenantCode: string | null,
  ): Promise<{ binding: SecretBinding; secret: () => string }> {
    if (ref.startsWith(DIRECTORY_PREFIX)) {
      const { secret, ...binding } = readDirectorySecret(
        this.#options.directory,
        ref.slice(DIRECTORY_PREFIX.length),
      );
      return { binding, secret: () => secret };
    }
    const named = SECRET_NAME.test(ref) ? await this.#options.secrets.get(tenantCode, ref) : null;
    if (!named)
      throw new SecretError(
        `there is no such secret of ${tenantCode === null ? 'no tenant' : `the tenant ${tenantCode}`}`,
      );
    return {
      binding: named,
      secret: () => this.#unseal(named.sealed, bindingText({ name: named.name }, named)),
    };
  }

  #unseal(sealed: string, bound: string): string {
    try {
      return unseal(sealed, this.#options.masterKey, bound);
    } catch (cause) {
      throw new SecretError(
        'a sealed secret does not open with this master key for this use, tenant and host',
        cause,
      );
    }
  }
}

/** Whether a row keeps the secret itself. */
export const isSealedInRow = (ref: string | null): boolean => ref !== null && ref.startsWith(KEPT_PREFIX);

/** What an answer shows of a reference: its name, never what a row keeps. */
export const publicReference = (ref: string | null): string | null => (isSealedInRow(ref) ? null : ref);

/**
 * One text whether there is no such secret, it is for something else, or it cannot be read, so that nobody
 * can find out which secrets there are.
 */
export function notUsable(
  use: SecretBinding['use'],
  { tenantCode, host }: { tenantCode: string | null; host?: string },
): FaultMessage {
  const body = [
    `"use": "${use}"`,
    ...(host === undefined ? [] : [`"host": "${host}"`]),
    ...(tenantCode === null ? [] : [`"tenant_code": "${tenantCode}"`]),
  ].join(', ');
  return saidOf('secret_unusable', { call: MAKE_SECRET, body: `{${body}}` });
}
