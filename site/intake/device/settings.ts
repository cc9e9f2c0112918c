import { badRequest } from '../../../common/http/error.ts';
import { type Fault, faultAt } from '../../../common/http/fault/fault.ts';
import { addressAllowed, parseNetworks } from '../../../common/http/outbound/address.ts';
import { type DeviceConfig, type DeviceKind, pulling } from '../record.ts';

/** Whether we connect to the device; otherwise it posts. */
export const isPulled = ({ address }: Pick<DeviceConfig, 'address'>): boolean => address !== undefined;

/** Settings of a device that are right together. @throws AppError 400 */
export function checked(config: DeviceConfig, kind: DeviceKind): DeviceConfig {
  const faults = [
    ...fieldFaults(config, kind),
    ...networkFaults(config),
    ...brokerFaults(config, kind),
    ...(config.address === undefined
      ? postFaults(config, kind)
      : addressFaults({ ...config, address: config.address }, kind)),
  ];
  if (faults.length > 0) throw badRequest(faults);
  return config.address === undefined ? config : { ...config, address: config.address.replace(/\/$/, '') };
}

function fieldFaults({ fields }: DeviceConfig, kind: DeviceKind): Fault[] {
  if (fields && kind !== 'webhook') return [faultAt('fields', 'device_fields_foreign')];
  return kind === 'webhook' && !fields?.type ? [faultAt('fields.type', 'device_type_path')] : [];
}

const BROKERS: readonly DeviceKind[] = ['frigate', 'axis'];

/** Of what is listened to by way of a broker. */
function brokerFaults({ topic, apiAddress }: DeviceConfig, kind: DeviceKind): Fault[] {
  const http = apiAddress === undefined || /^https?:/.test(apiAddress);
  return [
    ...(topic === undefined || BROKERS.includes(kind) ? [] : [faultAt('topic', 'device_topic_foreign')]),
    ...(topic !== undefined && kind === 'frigate' && /[+#]/.test(topic)
      ? [faultAt('topic', 'device_topic_prefix')]
      : []),
    ...(apiAddress === undefined || kind === 'frigate' ? [] : [faultAt('api_address', 'device_api_foreign')]),
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
function postFaults(config: DeviceConfig, kind: DeviceKind): Fault[] {
  if (pulling[kind]?.only) return [faultAt('address', 'device_address_wanted', { kind })];
  return Object.entries({
    user: config.user,
    tls_ca: config.tlsCa,
    tls_fingerprint: config.tlsFingerprint,
    tls_unverified: config.tlsUnverified,
    quiet_seconds: config.quietSeconds,
  }).flatMap(([name, value]) => (value === undefined ? [] : [faultAt(name, 'device_pulled_only')]));
}

function addressFaults({ address, auth }: DeviceConfig & { address: string }, kind: DeviceKind): Fault[] {
  const how = pulling[kind];
  if (!how) return [faultAt('address', 'device_address_foreign', { kind })];
  const schemes = how.schemes.map((scheme) => `${scheme}//`).join(', ');
  return [
    ...(how.schemes.includes(new URL(address).protocol)
      ? []
      : [faultAt('address', 'device_address_scheme', { kind, schemes })]),
    ...(auth === undefined || auth === 'basic' ? [] : [faultAt('auth', 'device_auth_pulled')]),
  ];
}
