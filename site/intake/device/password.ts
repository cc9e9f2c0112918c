import { hostOf } from '../../../common/core/secret/decide.ts';
import type { SecretRequest, SecretResolver } from '../../../common/core/secret/resolver.ts';
import { badRequest } from '../../../common/http/error.ts';
import { faultOf } from '../../../common/http/fault/fault.ts';
import { fault } from '../device-fault-messages.ts';
import type { Device } from '../record.ts';
import type { PasswordInput } from '../schema.ts';

/** Whose password it is. */
export type Owner = Pick<Device, 'keyId' | 'tenantCode' | 'config'>;

/**
 * The passwords that devices are shown which are connected to. Each is bound to its device, tenant and host:
 * a device that is led to another host does not take its password there.
 */
export class ShownPasswords {
  #resolver: SecretResolver;

  constructor(resolver: SecretResolver) {
    this.#resolver = resolver;
  }

  /** @returns the reference to keep; null where none was given. @throws AppError 400 */
  async take(owner: Owner, { password, password_ref: ref }: PasswordInput): Promise<string | null> {
    if (password !== undefined && ref !== undefined) throw fault('password_ref', 'device_password_once');
    if (password === undefined && ref === undefined) return null;
    if (owner.config.user === undefined) throw fault('user', 'device_user_wanted');
    const wanted = wantedOf(owner);
    if (password !== undefined) return this.#resolver.keep(password, wanted);
    const why = await this.#resolver.refusal(ref ?? '', wanted);
    if (why !== null) throw badRequest([faultOf('password_ref', why)]);
    return ref ?? null;
  }

  /** In clear; null where there is none. @throws SecretError */
  async open(device: Device): Promise<string | null> {
    return device.secretRef === null ? null : this.#resolver.open(device.secretRef, wantedOf(device));
  }
}

const wantedOf = ({ keyId, tenantCode, config }: Owner): SecretRequest => ({
  owner: keyId,
  use: 'device',
  tenantCode,
  host: hostOf(config.address ?? ''),
});
