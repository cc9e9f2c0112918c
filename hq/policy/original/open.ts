import { readSecret, type SecretSources } from '../../../common/secret/secret.ts';
import type { OriginalsConfig } from '../../config.ts';
import { LocalOriginals } from './local.ts';
import { MarkedOriginals } from './marked.ts';
import type { OriginalPlace, OriginalStorage, StorageMarker } from './original.ts';

/** The place that is configured, where it is that of the database. @throws SecretError */
export async function openOriginals(
  config: OriginalsConfig,
  note: StorageMarker,
  secrets: SecretSources,
): Promise<OriginalStorage> {
  return new MarkedOriginals(await openPlace(config, secrets), note);
}

/** The same, whichever it is. What speaks to an object store is loaded only for one. @throws SecretError */
export async function openPlace(config: OriginalsConfig, secrets: SecretSources): Promise<OriginalPlace> {
  if (config.kind === 'directory') return new LocalOriginals(config.dir);
  const { S3Originals } = await import('./s3.ts');
  const { endpoint, publicEndpoint, bucket, region, accessKeyRef, secretKeyRef } = config;
  return new S3Originals({
    endpoint,
    publicEndpoint,
    bucket,
    region,
    accessKey: readSecret(accessKeyRef, secrets),
    secretKey: readSecret(secretKeyRef, secrets),
  });
}
