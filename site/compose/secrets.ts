import type { Core } from '../../common/core/core.ts';
import { SecretWatch } from '../../common/core/secret/watch.ts';
import type { Base } from './base.ts';
import type { Devices } from './devices.ts';

/** How often it is looked whether the secrets of this site can be read, ms. */
const EVERY_MS = 60_000;

/** Looks whether the secrets that this site keeps can be opened. */
export function createSecretWatch(
  { store, config, secrets, clock, log, lifecycle }: Base,
  { keys }: Core,
  devices: Devices,
): SecretWatch {
  const watch = new SecretWatch({
    stores: store,
    keys,
    resolver: secrets.resolver,
    devices: () => devices.unreadable(),
    remedy: 'secrets_remedy_site',
    instance: config.instance,
    every: EVERY_MS,
    clock,
    log,
  });
  lifecycle.onStop('secrets', () => watch.loop.stop());
  return watch;
}
