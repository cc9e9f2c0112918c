import * as z from 'zod/mini';
import { readSecret, type SealedVault, SecretError, type SecretSources } from '../../secret/secret.ts';
import type { EvidenceJob } from './port.ts';

const access = z.object({ putUrl: z.string(), headers: z.record(z.string(), z.string()) });

/**
 * Where a consumer wants a file, and what opens that address: its query and the headers may be credentials.
 */
export type UploadAccess = z.infer<typeof access>;

/** @returns a reference that is kept with the job, and is the only copy */
export function sealAccess(vault: SealedVault, { putUrl, headers }: UploadAccess): string {
  return vault.put('evidence-access', JSON.stringify({ putUrl, headers }));
}

/** @throws SecretError when it was sealed under another key, or the job is over and has forgotten it */
export function openAccess(
  { access: sealed }: Pick<EvidenceJob, 'access'>,
  secrets: SecretSources,
): UploadAccess {
  if (sealed === null) throw new SecretError('the job keeps nothing that opens its address');
  return access.parse(JSON.parse(readSecret(sealed, secrets)));
}
