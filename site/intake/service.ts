import { hash, randomBytes } from 'node:crypto';
import { type Clock, stampOf } from '../../common/clock.ts';
import type { KeyService } from '../../common/core/key/service.ts';
import { hostOf } from '../../common/core/secret/decide.ts';
import { notFound } from '../../common/http/error.ts';
import { readSecret, type SealedVault, SecretError, type SecretSources } from '../../common/secret/secret.ts';
import { DEVICE_USER } from './device/caller.ts';
import type { ShownPasswords } from './device/password.ts';
import { checked, isPulled } from './device/settings.ts';
import { fault } from './device-fault-messages.ts';
import type { KnownDevices } from './known.ts';
import type { DevicePort } from './port.ts';
import type { Device, DeviceConfig } from './record.ts';
import {
  configOf,
  type DeviceChange,
  type DeviceInput,
  type IssuedDevice,
  type PasswordInput,
} from './schema.ts';

/** Where devices post; what follows is the token of each, a secret. */
export const INTAKE_PREFIX = '/in/';
/** Characters of a password: some cameras take no more than 16, and no signs. */
const PASSWORD_CHARS = 16;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export interface DeviceServiceOptions {
  devices: DevicePort;
  /** Kept in step with the store. */
  known: KnownDevices;
  keys: KeyService;
  /** Seals the passwords of devices, and opens them. */
  sealing: SealedVault;
  sources: SecretSources;
  /** Those of devices that are connected to. */
  shown: ShownPasswords;
  clock: Clock;
  /** Told after each change. */
  onChange: (devices: readonly Device[]) => Promise<void>;
}

/**
 * The registry of devices that cannot sign. Each stands beside a node key, by which it is listed and
 * removed.
 */
export class DeviceService {
  readonly #options: DeviceServiceOptions;
  #passwords = new Map<string, string>();

  constructor(options: DeviceServiceOptions) {
    this.#options = options;
  }

  /** Reads the registry. Called once at the start, and after each change. */
  async load(): Promise<void> {
    const all = await this.#options.devices.list();
    this.#options.known.replace(all);
    this.#passwords.clear();
    await this.#options.onChange(all);
  }

  list(): Device[] {
    return this.#options.known.list();
  }

  get(keyId: string): Device | undefined {
    return this.#options.known.get(keyId);
  }

  /** null also for one whose node key was removed. */
  async byToken(token: string): Promise<Device | null> {
    const device = this.#options.known.ofToken(hash('sha256', token, 'hex'));
    // One that posted before it was connected to still has its path.
    if (!device || isPulled(device.config)) return null;
    return (await this.#options.keys.live(device.keyId)) ? device : null;
  }

  /** @throws AppError 400, 409 key_exists */
  async register(input: DeviceInput, actor: string): Promise<IssuedDevice> {
    const { kind, tenant_code: tenantCode, name, key_id: wanted, ...settings } = input;
    const config = checked(configOf(settings), kind);
    const { keys, devices, clock } = this.#options;
    const { keyId } = await keys.issue({ purpose: 'node', tenantCode, subject: name, keyId: wanted }, actor);
    const token = newToken();
    const pulled = isPulled(config);
    const password = pulled ? null : passwordFor(config);
    try {
      const stamp = stampOf(clock);
      const secretRef = pulled
        ? await this.#options.shown.take({ keyId, tenantCode, config }, input)
        : this.#sealed(keyId, password);
      const tokenHash = hash('sha256', token, 'hex');
      await devices.add({ keyId, kind, tokenHash, secretRef, config, createdAt: stamp.now }, actor, stamp);
    } catch (error) {
      await keys.remove(keyId, 'node', actor);
      throw error;
    }
    await this.load();
    return issued(keyId, pulled ? null : token, password);
  }

  /** Gives the settings of a device anew, all of them. @throws AppError 400, 404 */
  async configure(keyId: string, change: DeviceChange, actor: string): Promise<Device> {
    const before = this.#present(keyId);
    const config = checked(configOf(change), before.kind);
    const secretRef = isPulled(config)
      ? ((await this.#options.shown.take({ ...before, config }, change)) ?? keptPassword(before, config))
      : ownPassword(before, config);
    return this.#change(keyId, { config, secretRef }, actor);
  }

  /** What the device is shown from now on; it is connected to at once. @throws AppError 400, 404 */
  async givePassword(
    keyId: string,
    { user, ...given }: PasswordInput & { user?: string | undefined },
    actor: string,
  ): Promise<Device> {
    const before = this.#present(keyId);
    if (!isPulled(before.config)) throw fault('password', 'device_pulled_only');
    const config = user === undefined ? before.config : { ...before.config, user };
    const secretRef = await this.#options.shown.take({ ...before, config }, given);
    return this.#change(keyId, { config, secretRef }, actor);
  }

  /** A new path, and a new password where there is one; the old ones end at once. @throws AppError 404 */
  async rotate(keyId: string, actor: string): Promise<IssuedDevice> {
    const { config } = this.#present(keyId);
    if (isPulled(config)) throw fault('key_id', 'device_pulled_rotate');
    const token = newToken();
    const password = passwordFor(config);
    const secretRef = this.#sealed(keyId, password);
    const change = { tokenHash: hash('sha256', token, 'hex'), secretRef };
    await this.#options.devices.change(keyId, change, actor, stampOf(this.#options.clock));
    await this.load();
    return issued(keyId, token, password);
  }

  /** @throws AppError 404 */
  async remove(keyId: string, actor: string): Promise<void> {
    this.#present(keyId);
    await this.#options.devices.remove(keyId, actor, stampOf(this.#options.clock));
    await this.#options.keys.remove(keyId, 'node', actor);
    await this.load();
  }

  /** Removes what is kept of a device whose node key is removed, its sealed password too. */
  async forget(keyId: string, actor: string): Promise<void> {
    await this.#options.devices.remove(keyId, actor, stampOf(this.#options.clock));
    await this.load();
  }

  /** The password of a device in clear; null where it has none. @throws SecretError */
  password({ keyId, secretRef }: Device): string | null {
    if (secretRef === null) return null;
    let password = this.#passwords.get(keyId);
    if (password === undefined)
      this.#passwords.set(keyId, (password = readSecret(secretRef, this.#options.sources)));
    return password;
  }

  /** Names of the devices whose password cannot be opened. */
  async unreadable(): Promise<string[]> {
    const found: string[] = [];
    for (const device of this.list())
      try {
        if (isPulled(device.config)) await this.#options.shown.open(device);
        else this.password(device);
      } catch (error) {
        if (!(error instanceof SecretError)) throw error;
        found.push(`${device.keyId} (${device.name})`);
      }
    return found;
  }

  async #change(keyId: string, change: Pick<Device, 'config' | 'secretRef'>, actor: string): Promise<Device> {
    await this.#options.devices.change(keyId, change, actor, stampOf(this.#options.clock));
    await this.load();
    return this.#present(keyId);
  }

  #sealed = (keyId: string, password: string | null): string | null =>
    password === null ? null : this.#options.sealing.put(keyId, password);

  #present(keyId: string): Device {
    const device = this.#options.known.get(keyId);
    if (!device) throw notFound(`The device ${keyId}`);
    return device;
  }
}

/** The password that was given before, for a device that keeps its host. @throws AppError 400 */
function keptPassword({ config: { address }, secretRef }: Device, config: DeviceConfig): string | null {
  if (address === undefined || secretRef === null) return null;
  if (hostOf(address) !== hostOf(config.address ?? '')) throw fault('password', 'device_password_again');
  return secretRef;
}

/** The password of a device that shows it. @throws AppError 400 */
function ownPassword({ config: before, secretRef }: Device, { auth = 'none' }: DeviceConfig): string | null {
  const kept = isPulled(before) ? null : secretRef;
  if (auth !== 'none' && kept === null) throw fault('auth', 'device_password_missing');
  return kept;
}

const issued = (keyId: string, token: string | null, password: string | null): IssuedDevice => ({
  keyId,
  path: token === null ? null : `${INTAKE_PREFIX}${token}`,
  user: password === null ? null : DEVICE_USER,
  password,
});

/** 192 random bits: 32 characters, so that the whole path stays far below the 128 of some cameras. */
const newToken = (): string => randomBytes(24).toString('base64url');

function passwordFor({ auth = 'none' }: DeviceConfig): string | null {
  if (auth === 'none') return null;
  // 224 is a multiple of the 56 signs, so that each is as likely.
  const signs: string[] = [];
  while (signs.length < PASSWORD_CHARS)
    for (const byte of randomBytes(PASSWORD_CHARS)) if (byte < 224) signs.push(ALPHABET[byte % 56] ?? 'a');
  return signs.slice(0, PASSWORD_CHARS).join('');
}
