import { type Clock, stampOf } from '../../clock.ts';
import { notFound } from '../../http/error.ts';
import { isHttpUrl } from '../event/schema.ts';
import { hostOf, isSmtpUrl } from './decide.ts';
import type { SecretPort } from './port.ts';
import type { NamedSecret } from './record.ts';
import type { SecretResolver } from './resolver.ts';
import type { SecretInput } from './schema.ts';
import { fault } from './secret-fault-messages.ts';

export interface SecretServiceOptions {
  secrets: SecretPort;
  secretResolver: SecretResolver;
  clock: Clock;
}

/** Named secrets as people give them: in, once, and never out again. */
export class SecretService {
  readonly #options: SecretServiceOptions;

  constructor(options: SecretServiceOptions) {
    this.#options = options;
  }

  /** @param tenantCode null: of no tenant @throws AppError 400 where an address does not lie at its host */
  put(
    name: string,
    tenantCode: string | null,
    { use, host, secret }: SecretInput,
    actor: string,
  ): Promise<{ secret: NamedSecret; created: boolean }> {
    if (use === 'channel_address' && !((isHttpUrl(secret) || isSmtpUrl(secret)) && hostOf(secret) === host)) {
      throw fault('secret', 'secret_address', { host });
    }
    const stamp = stampOf(this.#options.clock);
    const named = { name, tenantCode, use, host };
    return this.#options.secrets.put(
      {
        ...named,
        sealed: this.#options.secretResolver.sealNamed(secret, named),
        createdAt: stamp.now,
        updatedAt: stamp.now,
      },
      actor,
      stamp,
    );
  }

  list(tenantCode: string | null): Promise<NamedSecret[]> {
    return this.#options.secrets.list(tenantCode);
  }

  /** @throws AppError 404 */
  async remove(name: string, tenantCode: string | null, actor: string): Promise<void> {
    if (!(await this.#options.secrets.remove(tenantCode, name, actor, stampOf(this.#options.clock))))
      throw notFound(`The secret ${name}`);
  }
}
