import { readSecret } from '../../../common/secret/secret.ts';
import type { HubConfig } from '../../config.ts';
import type { EmbedOptions } from './client.ts';

/** The key is read at each call, so that a new one needs no restart. */
export function embedOptions({ embed, secrets }: HubConfig): EmbedOptions | null {
  if (!embed) return null;
  const { keyRef, callsPerDay: _most, ...rest } = embed;
  return { ...rest, key: () => (keyRef === null ? null : readSecret(keyRef, secrets)) };
}
