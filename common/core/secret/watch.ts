import { tenantOf } from '../../agent/channel/decide.ts';
import type { Clock } from '../../clock.ts';
import type { Logger } from '../../log.ts';
import { Loop } from '../../loop.ts';
import type { Message } from '../../message.ts';
import { coreAlarmMessages } from '../alarm/alarm-messages.ts';
import { alarmText } from '../alarm/alarm-text.ts';
import type { KeyService } from '../key/service.ts';
import type { Stores } from '../stores.ts';
import { hostOf } from './decide.ts';
import { UNREADABLE_ALARM } from './record.ts';
import type { SecretResolver } from './resolver.ts';

/** Names that the alarm shows of each kind; its details have them all. */
const SHOWN = 20;

/** What a secret belongs to. */
export type SecretOwner = 'keys' | 'devices' | 'names' | 'channels' | 'consumers';
/** Whose secrets cannot be opened, by what they belong to. */
export type Unreadable = Record<SecretOwner, string[]>;

export interface SecretWatchOptions {
  stores: Pick<Stores, 'secrets' | 'channels' | 'subscriptions' | 'alarms'>;
  keys: Pick<KeyService, 'unreadable'>;
  resolver: SecretResolver;
  /** Names of the devices whose password cannot be opened. */
  devices: () => Promise<string[]>;
  /** What a person of this program does about it. */
  remedy: 'secrets_remedy_site' | 'secrets_remedy_hub';
  instance: string;
  /** Between two looks, ms. */
  every: number;
  clock: Clock;
  log: Logger;
}

/**
 * Looks whether every secret that the store refers to, or has sealed, can be opened, and raises an alarm that
 * names those that cannot. Without it a folder that is gone shows only as callers that are turned away.
 */
export class SecretWatch {
  readonly loop: Loop;
  readonly #options: SecretWatchOptions;
  #told = '';

  constructor(options: SecretWatchOptions) {
    this.#options = options;
    this.loop = new Loop({
      name: 'secrets',
      interval: options.every,
      log: options.log,
      monotonic: () => options.clock.monotonic(),
      round: () => this.round(),
    });
  }

  async round(): Promise<void> {
    const { stores, instance, clock, remedy, log } = this.#options;
    const found = await this.look();
    const what = partsOf(found);
    const text = JSON.stringify(what);
    if (text === this.#told) return;
    if (what.length === 0) await stores.alarms.clear(UNREADABLE_ALARM, instance, clock.now());
    else {
      log.error({ ...found }, 'secrets cannot be opened');
      const message = {
        code: 'secrets_unreadable',
        params: { what, remedy: { code: remedy, params: {} } },
      } as const;
      await stores.alarms.raise(
        {
          key: UNREADABLE_ALARM,
          instance,
          tenantCode: null,
          severity: 'critical',
          ...alarmText(coreAlarmMessages, message, found),
        },
        clock.now(),
      );
    }
    this.#told = text;
  }

  async look(): Promise<Unreadable> {
    const { keys, devices } = this.#options;
    return {
      keys: (await keys.unreadable()).map(({ keyId, subject }) => `${keyId} (${subject})`),
      devices: await devices(),
      names: await this.#names(),
      channels: await this.#channels(),
      consumers: await this.#consumers(),
    };
  }

  async #names(): Promise<string[]> {
    const { stores, resolver } = this.#options;
    const all = await stores.secrets.list(null);
    const open = ({ name, ...binding }: (typeof all)[number]): Promise<string> =>
      resolver.open(name, { ...binding, owner: '' });
    return (await this.#closed(all, open)).map(({ name }) => name);
  }

  async #channels(): Promise<string[]> {
    const { stores, resolver } = this.#options;
    const closed = await this.#closed(await stores.channels.list(null), async (channel) => {
      const wanted = { owner: channel.id, tenantCode: tenantOf(channel), host: channel.urlHost };
      await resolver.open(channel.urlRef, { ...wanted, use: 'channel_address' });
      if (channel.secretRef !== null) await resolver.open(channel.secretRef, { ...wanted, use: 'channel' });
    });
    return closed.map(({ name }) => name);
  }

  async #consumers(): Promise<string[]> {
    const { stores, resolver } = this.#options;
    const signed = (await stores.subscriptions.list()).filter(
      ({ pushUrl, secretRef }) => pushUrl && secretRef,
    );
    const closed = await this.#closed(signed, ({ consumer: owner, tenantCode, pushUrl, secretRef }) =>
      resolver.open(secretRef ?? '', { use: 'push', tenantCode, host: hostOf(pushUrl ?? ''), owner }),
    );
    return closed.map(({ consumer }) => consumer);
  }

  async #closed<T>(all: readonly T[], open: (one: T) => Promise<unknown>): Promise<T[]> {
    const closed: T[] = [];
    for (const one of all) if (!(await this.#options.resolver.opens(() => open(one)))) closed.push(one);
    return closed;
  }
}

const partsOf = (found: Unreadable): Message[] =>
  (Object.keys(found) as SecretOwner[]).flatMap((owner) => {
    const names = found[owner];
    if (names.length === 0) return [];
    const more = names.length > SHOWN ? ', …' : '';
    const params = { count: names.length, names: names.slice(0, SHOWN).join(', ') + more };
    return [{ code: `unreadable_${owner}`, params }];
  });
