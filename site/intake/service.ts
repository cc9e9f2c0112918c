import { hash, randomBytes } from 'node:crypto';
import type { Clock } from '../../common/clock.ts';
import { stampOf } from '../../common/clock.ts';
import type { KeyService } from '../../common/core/key/service.ts';
import { fault, notFound } from '../../common/http/error.ts';
import { addressAllowed, parseNetworks } from '../../common/http/outbound/address.ts';
import { readSecret, type SealedVault, type SecretSources } from '../../common/secret/secret.ts';
import { DEVICE_USER } from './device/caller.ts';
import type { DevicePort } from './port.ts';
import type { Device, DeviceConfig } from './record.ts';
import { configOf, type DeviceInput, type DeviceSettings, type IssuedDevice } from './schema.ts';

/** Where devices post; what follows is the token of each, a secret. */
export const INTAKE_PREFIX = '/in/';
/** Characters of a password: some cameras take no more than 16, and no signs. */
const PASSWORD_CHARS = 16;
const ALPHABET = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export interface DeviceServiceOptions {
  devices: DevicePort;
  keys: KeyService;
  /** Seals the passwords of devices, and opens them. */
  sealing: SealedVault;
  sources: SecretSources;
  clock: Clock;
  /** Told after each change. */
  onChange: (devices: readonly Device[]) => Promise<void>;
}

/**
 * The registry of devices that cannot sign. Each stands beside a node key, by which it is listed and
 * removed.
 */
export class DeviceService {
  #options: DeviceServiceOptions;
  #byKey = new Map<string, Device>();
  #byToken = new Map<string, Device>();
  #passwords = new Map<string, string>();

  constructor(options: DeviceServiceOptions) {
    this.#options = options;
  }

  /** Reads the registry. Called once at the start, and after each change. */
  async load(): Promise<void> {
    const all = await this.#options.devices.list();
    this.#byKey = new Map(all.map((device) => [device.keyId, device]));
    this.#byToken = new Map(all.map((device) => [device.tokenHash, device]));
    this.#passwords.clear();
    await this.#options.onChange(all);
  }

  list(): Device[] {
    return [...this.#byKey.values()];
  }

  get(keyId: string): Device | undefined {
    return this.#byKey.get(keyId);
  }

  /** null also for one whose node key was removed. */
  async byToken(token: string): Promise<Device | null> {
    const device = this.#byToken.get(hash('sha256', token, 'hex'));
    return device && (await this.#options.keys.live(device.keyId)) ? device : null;
  }

  /** @throws AppError 400, 409 key_exists */
  async register(input: DeviceInput, actor: string): Promise<IssuedDevice> {
    const { kind, tenant_code: tenantCode, name, key_id: wanted, ...settings } = input;
    const config = checked(configOf(settings), kind);
    const { keys, devices, clock } = this.#options;
    const { keyId } = await keys.issue({ purpose: 'node', tenantCode, subject: name, keyId: wanted }, actor);
    const token = newToken();
    const password = passwordFor(config);
    try {
      const stamp = stampOf(clock);
      const secretRef = password === null ? null : this.#options.sealing.put(keyId, password);
      const tokenHash = hash('sha256', token, 'hex');
      await devices.add({ keyId, kind, tokenHash, secretRef, config, createdAt: stamp.now }, actor, stamp);
    } catch (error) {
      await keys.remove(keyId, 'node', actor);
      throw error;
    }
    await this.load();
    return issued(keyId, token, password);
  }

  /** Gives the settings of a device anew, all of them. @throws AppError 400, 404 */
  async configure(keyId: string, settings: DeviceSettings, actor: string): Promise<Device> {
    const before = this.#present(keyId);
    const config = checked(configOf(settings), before.kind);
    if ((config.auth ?? 'none') !== 'none' && before.secretRef === null)
      throw fault('auth', 'device_password_missing');
    await this.#options.devices.change(keyId, { config }, actor, stampOf(this.#options.clock));
    await this.load();
    return this.#present(keyId);
  }

  /** A new path, and a new password where there is one; the old ones end at once. @throws AppError 404 */
  async rotate(keyId: string, actor: string): Promise<IssuedDevice> {
    const { config } = this.#present(keyId);
    const token = newToken();
    const password = passwordFor(config);
    const secretRef = password === null ? null : this.#options.sealing.put(keyId, password);
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

  /** The password of a device in clear; null where it has none. @throws SecretError */
  password({ keyId, secretRef }: Device): string | null {
    if (secretRef === null) return null;
    let password = this.#passwords.get(keyId);
    if (password === undefined)
      this.#passwords.set(keyId, (password = readSecret(secretRef, this.#options.sources)));
    return password;
  }

  #present(keyId: string): Device {
    const device = this.#byKey.get(keyId);
    if (!device) throw notFound(`The device ${keyId}`);
    return device;
  }
}

const issued = (keyId: string, token: string, password: string | null): IssuedDevice => ({
  keyId,
  path: `${INTAKE_PREFIX}${token}`,
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

/** @throws AppError 400 */
function checked(config: DeviceConfig, kind: Device['kind']): DeviceConfig {
  if (config.fields && kind !== 'webhook') throw fault('fields', 'device_fields_foreign');
  if (kind === 'webhook' && !config.fields?.type) throw fault('fields.type', 'device_type_path');
  for (const [index, network] of (config.sourceNetworks ?? []).entries()) {
    try {
      addressAllowed('127.0.0.1', parseNetworks([network]));
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      throw fault(`source_networks[${index}]`, 'device_network');
    }
  }
  return config;
}
