import type { SecretResolver } from '../../core/secret/resolver.ts';
import { hostOf } from '../../core/secret/decide.ts';
import type { Logger } from '../../log.ts';
import { readSecret, SecretError, type SecretSources, type SecretVault } from '../../secret.ts';
import type { ChannelPort, ChannelReferences } from './port.ts';
import type { ChannelRecord } from './record.ts';

export interface AdoptOptions {
  channels: ChannelPort;
  secretResolver: SecretResolver;
  /** Where an older version kept what channels were given in clear; `secrets` opens it. */
  vault: SecretVault;
  secrets: SecretSources;
  log: Logger;
}

/**
 * Seals what an older version of the program kept of channels for the channel and its host, and forgets the
 * old copy. References that callers gave it are no such copies and stay as they are: nothing opens them.
 */
export async function adoptChannels(options: AdoptOptions): Promise<void> {
  const { channels, vault, log } = options;
  for (const channel of await channels.list(null)) {
    const old = { url: `channel-url-${channel.id}`, secret: `channel-secret-${channel.id}` };
    const made = [
      vault.made(channel.urlRef, old.url) ? channel.urlRef : null,
      channel.secretRef !== null && vault.made(channel.secretRef, old.secret) ? channel.secretRef : null,
    ] as const;
    if (made[0] === null && made[1] === null) continue;
    try {
      if (!(await channels.rebind(channel, sealedAnew(channel, made, options)))) continue;
      for (const ref of made) if (ref !== null) vault.forget(ref);
    } catch (error) {
      if (!(error instanceof SecretError)) throw error;
      log.warn(
        { err: error, channel: channel.id },
        'what a channel was given cannot be read any more; give it anew',
      );
    }
  }
}

/** @throws SecretError */
function sealedAnew(
  channel: ChannelRecord,
  [urlRef, secretRef]: readonly [string | null, string | null],
  { secretResolver, secrets }: AdoptOptions,
): ChannelReferences {
  const url = urlRef === null ? null : readSecret(urlRef, secrets);
  const host = url === null ? channel.urlHost : hostOf(url);
  const wanted = { tenantCode: channel.tenantCode, host, owner: channel.id };
  return {
    urlHost: host,
    urlRef: url === null ? channel.urlRef : secretResolver.keep(url, { ...wanted, use: 'channel_address' }),
    secretRef:
      secretRef === null
        ? channel.secretRef
        : secretResolver.keep(readSecret(secretRef, secrets), { ...wanted, use: 'channel' }),
  };
}
