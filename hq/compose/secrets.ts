import type { Core } from '../../common/core/core.ts';
import { SecretWatch } from '../../common/core/secret/watch.ts';
import type { Base } from './base.ts';

/** How often it is looked whether what the database has sealed can be opened, ms: it takes a damaged row. */
const EVERY_MS = 3_600_000;

/** Looks whether the secrets that the database keeps can be opened. */
export function createSecretWatch(
  { store, config, secrets, clock, log, lifecycle }: Base,
  { keys }: Core,
): SecretWatch {
  const watch = new SecretWatch({
    stores: store,
    keys,
    resolver: secrets.core.resolver,
    devices: () => Promise.resolve([]),
    remedy: 'secrets_remedy_hub',
    instance: config.instance,
    every: EVERY_MS,
    clock,
    log,
  });
  lifecycle.onStop('secrets', () => watch.loop.stop());
  return watch;
}
