import { join } from 'node:path';
import { ConfigError, ensureSecretFile } from '../../config.ts';
import { newSecret, readSecret, type SecretSources } from '../../secret/secret.ts';
import { adminKeyFault } from './decide.ts';

/**
 * The admin key of the configuration; without one it is made at the first start, in the data directory.
 * @throws ConfigError when the key can be guessed, which opens everything; SecretError
 */
export function readAdminKey(
  { adminKeyRef, secrets }: { adminKeyRef: string | null; secrets: SecretSources },
  secretsDir: string,
): string {
  if (adminKeyRef === null)
    return readSecret(
      ensureSecretFile(join(secretsDir, 'admin-key'), () => newSecret('fla_')),
      secrets,
    );
  const key = readSecret(adminKeyRef, secrets);
  const fault = adminKeyFault(key);
  if (fault !== null)
    throw new ConfigError([
      `CORE_ADMIN_KEY_REF: the admin key that ${adminKeyRef} holds is too weak: ${fault}. Make one ` +
        'with: openssl rand -base64 32',
    ]);
  return key;
}
