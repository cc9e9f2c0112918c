// Secrets that the API names, over a real store.
import type { SecretBinding } from '../../common/core/secret/record.ts';
import { SecretResolver } from '../../common/core/secret/resolver.ts';
import type { Stores } from '../../common/core/stores.ts';
import { TEST_START } from './clock.ts';

const MASTER_KEY = Buffer.alloc(32, 5);

export const secretResolver = (
  stores: Pick<Stores, 'secrets'>,
  directory: string | null = null,
): SecretResolver => new SecretResolver({ secrets: stores.secrets, directory, masterKey: MASTER_KEY });

/** Gives a secret as PUT /api/core/secrets/{name} does. */
export async function giveSecret(
  stores: Pick<Stores, 'secrets'>,
  name: string,
  secret: string,
  binding: SecretBinding,
): Promise<void> {
  const named = { name, ...binding };
  const sealed = secretResolver(stores).sealNamed(secret, named);
  let ids = 0;
  await stores.secrets.put({ ...named, sealed, createdAt: TEST_START, updatedAt: TEST_START }, 'admin', {
    now: TEST_START,
    newId: () => `given-${name}-${(ids += 1)}`,
  });
}
