import { badRequest } from '../../../common/http/error.ts';
import { type Fault } from '../../../common/http/fault/fault.ts';
import { addressAllowed, parseNetworks } from '../../../common/http/outbound/address.ts';
import { faultAt } from '../device-fault-messages.ts';
import type { DriverSettings } from '../driver.ts';
import { driverOf } from '../drivers.ts';
import type { DeviceConfig } from '../record.ts';

/** Whether we connect to the device; otherwise it posts. */
export const isPulled = ({ address }: Pick<DeviceConfig, 'address'>): boolean => address !== undefined;

/** Settings of a device that are right together. @throws AppError 400 */
export function checked(config: DeviceConfig, kind: string): DeviceConfig {
  const { settings } = driverOf(kind);
  const faults = [
    ...fieldFaults(config, settings),
    ...networkFaults(config),
    ...brokerFaults(config, kind, settings),
    ...(config.address === undefined
      ? postFaults(config, kind, settings)
      : addressFaults({ ...config, address: config.address }, kind, settings)),
  ];
  if (faults.length > 0) throw badRequest(faults);
  return config.address === undefined ? config : { ...config, address: config.address.replace(/\/$/, '') };
}

function fieldFaults({ fields }: DeviceConfig, { fields: named = false }: DriverSettings): Fault[] {
  if (fields && !named) return [faultAt('fields', 'device_fields_foreign')];
  return named && !fields?.type ? [faultAt('fields.type', 'device_type_path')] : [];
}

/** Of what is listened to by way of a broker. */
function brokerFaults(
  { topic, apiAddress }: DeviceConfig,
  kind: string,
  { topic: topics, api = false }: DriverSettings,
): Fault[] {
  const http = apiAddress === undefined || /^https?:/.test(apiAddress);
  return [
    ...(topic === undefined || topics ? [] : [faultAt('topic', 'device_topic_foreign')]),
    ...(topic !== undefined && topics === 'prefix' && /[+#]/.test(topic)
      ? [faultAt('topic', 'device_topic_prefix')]
      : []),
    ...(apiAddress === undefined || api ? [] : [faultAt('api_address', 'device_api_foreign')]),
    ...(http
      ? []
      : [faultAt('api_address', 'device_address_scheme', { kind, schemes: 'http://, https://' })]),
  ];
}

function networkFaults({ sourceNetworks = [] }: DeviceConfig): Fault[] {
  return sourceNetworks.flatMap((network, index) => {
    try {
      addressAllowed('127.0.0.1', parseNetworks([network]));
      return [];
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return [faultAt(`source_networks[${index}]`, 'device_network')];
    }
  });
}

/** Of a device that posts. */
function postFaults(config: DeviceConfig, kind: string, { address }: DriverSettings): Fault[] {
  if (address?.only) return [faultAt('address', 'device_address_wanted', { kind })];
  return Object.entries({
    user: config.user,
    tls_ca: config.tlsCa,
    tls_fingerprint: config.tlsFingerprint,
    tls_unverified: config.tlsUnverified,
    quiet_seconds: config.quietSeconds,
  }).flatMap(([name, value]) => (value === undefined ? [] : [faultAt(name, 'device_pulled_only')]));
}

function addressFaults(
  { address, auth }: DeviceConfig & { address: string },
  kind: string,
  { address: how }: DriverSettings,
): Fault[] {
  if (!how) return [faultAt('address', 'device_address_foreign', { kind })];
  const schemes = how.schemes.map((scheme) => `${scheme}//`).join(', ');
  return [
    ...(how.schemes.includes(new URL(address).protocol)
      ? []
      : [faultAt('address', 'device_address_scheme', { kind, schemes })]),
    ...(auth === undefined || auth === 'basic' ? [] : [faultAt('auth', 'device_auth_pulled')]),
  ];
}
