// Devices that cannot sign, as the API takes and shows them.
import * as z from 'zod/mini';
import { upTo } from '../../common/characters.ts';
import { code, eventType, severities, tenantCode } from '../../common/core/event/schema.ts';
import { keyIdText } from '../../common/core/key/schema.ts';
import { secretRef } from '../../common/core/secret/schema.ts';
import { described } from '../../common/http/described.ts';
import { saying } from './device-fault-messages.ts';
import { conditions, type DeviceConfig, pushAuths } from './record.ts';

const word = z.string().check(z.minLength(1), z.maxLength(128));
const network = z.string().check(upTo(64), z.regex(/^[0-9a-fA-F.:]+\/\d{1,3}$/, saying('device_network')));
/** A path of member names: `alarm.camera.id`. */
const memberPath = z.string().check(z.minLength(1), z.maxLength(200));

/** What addresses of devices look like, for a refusal. */
const ADDRESS_LIKE = 'http://192.168.1.64';
const API_LIKE = 'http://192.168.1.5:5000';

/** Scheme, host and port, and nothing that may hold a secret. */
function isAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password, pathname, search, hash, hostname } = new URL(text);
  return hostname !== '' && ![username, password, search, hash].some(Boolean) && /^\/?$/.test(pathname);
}

const fieldsInput = z
  .strictObject({
    list: z.optional(memberPath),
    type: z.optional(memberPath),
    id: z.optional(memberPath),
    time: z.optional(memberPath),
    device: z.optional(memberPath),
    camera: z.optional(memberPath),
    rule: z.optional(memberPath),
    object: z.optional(memberPath),
    camera_name: z.optional(memberPath),
    severity: z.optional(memberPath),
    title: z.optional(memberPath),
    description: z.optional(memberPath),
    picture: z.optional(memberPath),
    picture_url: z.optional(memberPath),
    state: z.optional(memberPath),
  })
  .register(described, { id: 'WebhookFields' });

const settings = {
  camera_ref: z.optional(code(128)),
  site_ref: z.optional(code(128)),
  channels: z.optional(z.record(word, code(128))),
  types: z.optional(z.record(word, eventType)),
  severity: z.optional(z.enum(severities)),
  severities: z.optional(z.record(eventType, z.enum(severities))),
  silence_seconds: z.optional(z.int().check(z.minimum(2), z.maximum(86_400))),
  source_networks: z.optional(z.array(network).check(z.maxLength(20))),
  auth: z.optional(z.enum(pushAuths)),
  fields: z.optional(fieldsInput),
  state_ends: z.optional(z.array(word).check(z.minLength(1), z.maxLength(50))),
  severity_words: z.optional(z.record(word, z.enum(severities))),
  address: z.optional(
    z.string().check(upTo(300), z.refine(isAddress, saying('device_address', { like: ADDRESS_LIKE }))),
  ),
  user: z.optional(word),
  tls_ca: z.optional(
    z.string().check(upTo(32_768), z.regex(/-----BEGIN CERTIFICATE-----/, saying('device_certificate'))),
  ),
  tls_fingerprint: z.optional(
    z.string().check(z.regex(/^(?:[0-9a-fA-F]{2}:?){32}$/, saying('device_fingerprint'))),
  ),
  tls_unverified: z.optional(z.boolean()),
  quiet_seconds: z.optional(z.int().check(z.minimum(5), z.maximum(86_400))),
  topic: z.optional(z.string().check(z.regex(/^[^\s\0]{1,200}$/, saying('device_topic')))),
  api_address: z.optional(
    z.string().check(upTo(300), z.refine(isAddress, saying('device_address', { like: API_LIKE }))),
  ),
};
/** What is shown to a device that is connected to; one of the two. */
const password = {
  password: z.optional(z.string().check(z.minLength(1), z.maxLength(256))),
  password_ref: z.optional(secretRef),
};

/** What a new device has beside its kind, which the drivers name. */
export const newDevice = {
  tenant_code: tenantCode,
  name: code(128),
  key_id: z.optional(keyIdText),
  ...settings,
  ...password,
};

export type DeviceInput = z.infer<z.ZodMiniObject<typeof newDevice, z.core.$strict>> & { kind: string };

export const deviceSettings = z.strictObject(settings).register(described, { id: 'DeviceSettings' });
export type DeviceSettings = z.infer<typeof deviceSettings>;

/** Body of PUT /api/core/devices/{key_id}: the settings, all of them. */
export const deviceChange = z
  .strictObject({ ...settings, ...password })
  .register(described, { id: 'DeviceChange' });
export type DeviceChange = z.infer<typeof deviceChange>;
export type PasswordInput = Pick<DeviceChange, 'password' | 'password_ref'>;

/** Body of PUT /api/core/devices/{key_id}/password. */
export const devicePassword = z
  .strictObject({ user: z.optional(word), ...password })
  .register(described, { id: 'DevicePassword' });

const time = z.nullable(z.string());
const count = z.int();

/** How it stands with a device that is connected to. */
/** Why a message of a device is refused. */
export const refusalReasons = [
  'wrong_password',
  'wrong_network',
  'unreadable',
  'too_large',
  'bad_signature',
  'clock_off',
  'invalid',
] as const;

export const connectionView = z
  .object({
    condition: z.enum(conditions),
    since: z.string(),
    /** Why it is not connected: a code, and what it says. */
    code: z.nullable(z.string()),
    reason: z.nullable(z.string()),
    reasonZh: z.nullable(z.string()),
    /** When anything came, heartbeats too. */
    aliveAt: time,
    nextAttemptAt: time,
    connects: count,
  })
  .register(described, { id: 'DeviceConnection' });
export type ConnectionView = z.infer<typeof connectionView>;

export const deviceView = z
  .object({
    keyId: z.string(),
    kind: z.string(),
    tenantCode: z.string(),
    name: z.string(),
    settings: deviceSettings,
    createdAt: z.string(),
    heardAt: time,
    messages: count,
    heartbeats: count,
    stored: count,
    repeated: count,
    /** Ends of alarms, also of such as did not stand. */
    ended: count,
    /** Events that may be of an alarm which stood already: `payload.maybe_same_as`. */
    doubtful: count,
    unreadable: count,
    picturesLost: count,
    unknownTypes: z.record(z.string(), z.int()),
    clockOffSeconds: z.int(),
    /** null: nobody connects to it; it posts. */
    connection: z.nullable(connectionView),
    /** Why the last message was refused that was. */
    refusal: z.nullable(
      z.object({
        reason: z.enum(refusalReasons),
        detail: z.string(),
        at: z.string(),
        count: z.int(),
      }),
    ),
  })
  .register(described, { id: 'Device' });

/** What is typed into the camera; shown this once. */
export const issuedDevice = z
  .object({
    keyId: z.string(),
    /** Of the address; it is a secret. null: the device does not post, it is connected to. */
    path: z.nullable(z.string()),
    user: z.nullable(z.string()),
    password: z.nullable(z.string()),
  })
  .register(described, { id: 'IssuedDevice' });
export type IssuedDevice = z.infer<typeof issuedDevice>;

/** Body of POST /api/core/devices/{key_id}/try. */
export const tryInput = z
  .strictObject({ seconds: z._default(z.int().check(z.minimum(1), z.maximum(50)), 30) })
  .register(described, { id: 'DeviceTrial' });

export function configOf(input: DeviceSettings): DeviceConfig {
  const { fields } = input;
  const given: DeviceConfig = {
    cameraRef: input.camera_ref,
    siteRef: input.site_ref,
    channels: input.channels,
    types: input.types,
    severity: input.severity,
    severities: input.severities,
    silenceSeconds: input.silence_seconds,
    sourceNetworks: input.source_networks,
    auth: input.auth,
    address: input.address,
    user: input.user,
    tlsCa: input.tls_ca,
    tlsFingerprint: input.tls_fingerprint,
    tlsUnverified: input.tls_unverified,
    quietSeconds: input.quiet_seconds,
    topic: input.topic,
    apiAddress: input.api_address,
    fields: fields && { ...fields, cameraName: fields.camera_name, pictureUrl: fields.picture_url },
    stateEnds: input.state_ends,
    severityWords: input.severity_words,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** The settings as they were given. */
export function settingsOf(config: DeviceConfig): DeviceSettings {
  const given = {
    camera_ref: config.cameraRef,
    site_ref: config.siteRef,
    channels: config.channels,
    types: config.types,
    severity: config.severity,
    severities: config.severities,
    silence_seconds: config.silenceSeconds,
    source_networks: config.sourceNetworks,
    auth: config.auth,
    address: config.address,
    user: config.user,
    tls_ca: config.tlsCa,
    tls_fingerprint: config.tlsFingerprint,
    tls_unverified: config.tlsUnverified,
    quiet_seconds: config.quietSeconds,
    topic: config.topic,
    api_address: config.apiAddress,
    fields: config.fields && fieldsOf(config.fields),
    state_ends: config.stateEnds,
    severity_words: config.severityWords,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function fieldsOf({ cameraName, pictureUrl, ...fields }: NonNullable<DeviceConfig['fields']>) {
  return {
    ...fields,
    ...(cameraName === undefined ? {} : { camera_name: cameraName }),
    ...(pictureUrl === undefined ? {} : { picture_url: pictureUrl }),
  };
}
