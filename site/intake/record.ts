// Devices that cannot sign, what they say, and which of their alarms are under way.
import type { Message } from '../../common/message.ts';
import type { WebhookFields } from './webhook/record.ts';

/** How it stands with the connection to a device. */
export const conditions = [
  'connecting',
  'connected',
  'silent',
  'refused',
  'unreachable',
  'tls',
  'clock',
  'broken',
  'not_stored',
] as const;
export type Condition = (typeof conditions)[number];

/** How a pushing device shows who it is beside the token in its path. */
export const pushAuths = ['none', 'basic', 'digest'] as const;
export type PushAuth = (typeof pushAuths)[number];

/** Severities as intake takes them. */
export type DeviceSeverity = 'low' | 'medium' | 'high' | 'critical';

/** What an administrator said of a device; each source reads the members that it knows. */
export interface DeviceConfig {
  /** Written as the camera of events, where the device names no channel or none is mapped. */
  cameraRef?: string | undefined;
  siteRef?: string | undefined;
  /** The camera of a channel of a recorder, by the channel as the device writes it. */
  channels?: Readonly<Record<string, string>> | undefined;
  /** Event types by the device's own, before the table of the source. */
  types?: Readonly<Record<string, string>> | undefined;
  severity?: DeviceSeverity | undefined;
  /** By event type, before `severity`. */
  severities?: Readonly<Record<string, DeviceSeverity>> | undefined;
  /** Seconds without a repetition after which an alarm that repeats itself is over. */
  silenceSeconds?: number | undefined;
  /** Networks in CIDR form from which the device may post; without them, any. */
  sourceNetworks?: readonly string[] | undefined;
  auth?: PushAuth | undefined;
  /** Where the device is connected to, as `http://192.168.1.64`; without it the device posts. */
  address?: string | undefined;
  /** Of the account in the device. */
  user?: string | undefined;
  /** Certificates in PEM that are trusted for the device, in the place of those of the system. */
  tlsCa?: string | undefined;
  /** SHA-256 of the only certificate that the device may show. */
  tlsFingerprint?: string | undefined;
  /** Whether any certificate is taken. */
  tlsUnverified?: boolean | undefined;
  /** Seconds without a byte after which a connection is taken for dead. */
  quietSeconds?: number | undefined;
  /** Of a broker: Frigate's `topic_prefix`, or what Axis cameras are listened to under. */
  topic?: string | undefined;
  /** Where Frigate's HTTP API is, as `http://192.168.1.5:5000`. */
  apiAddress?: string | undefined;
  /** Where members of a webhook's JSON stand, by dotted paths. */
  fields?: WebhookFields | undefined;
  /** Words of a webhook's state by which an alarm is over, in the place of those that are usual. */
  stateEnds?: readonly string[] | undefined;
  /** Severities by a webhook's own words for them. */
  severityWords?: Readonly<Record<string, DeviceSeverity>> | undefined;
}

export interface DeviceRecord {
  /** Of the node key that stands for the device. */
  keyId: string;
  /** As `drivers.ts` names it. */
  kind: string;
  /** SHA-256 of the token in the path, lower-case hex. */
  tokenHash: string;
  /**
   * The sealed password, where there is one: what the device shows, or what a device is shown that is
   * connected to.
   */
  secretRef: string | null;
  config: DeviceConfig;
  createdAt: number;
}

/** A device with what its node key says. */
export interface Device extends DeviceRecord {
  tenantCode: string;
  name: string;
}

/** What ended an occurrence: the device, its silence, a long absence of the site; `single` has no length. */
export type EpisodeEnd = 'device' | 'silence' | 'restart' | 'single';

/** The newest occurrence of one alarm of a device. */
export interface Episode {
  keyId: string;
  /** The key of its identity. */
  alarm: string;
  /** Receipt of the first report, epoch ms. */
  openedAt: number;
  /** Receipt of the last report that is noted; the noting lags by a few seconds. */
  lastAt: number;
  reports: number;
  closedAt: number | null;
  endedBy: EpisodeEnd | null;
  /** The device's own time of the first and of the last report, as far as it told any, epoch ms. */
  deviceFrom: number | null;
  deviceUntil: number | null;
  /** Whether the device repeats the alarm while it lasts, so that silence ends it. */
  repeats: boolean;
  /** Digest of the first report: one that is like it is the same message again. */
  report: string;
  /** JSON text of the event that is still to be stored. */
  pending: string | null;
  eventId: number | null;
}

/** A device that refused what it was shown. */
export interface Refusal {
  keyId: string;
  /** Digest of what it was shown. */
  settings: string;
  /** In a row. */
  failures: number;
  /** It is not tried again before, epoch ms. */
  until: number;
  fault: Message;
}

/** One part of a message: a document, or a picture. */
export interface Part {
  /** Header names in small letters. */
  headers: Readonly<Record<string, string>>;
  body: Buffer;
}

/** When something happened, as a device tells it. */
export interface DeviceTime {
  /** As the device wrote it. */
  text: string;
  /** Epoch ms; a time without zone is read as UTC. null: no time at all. */
  at: number | null;
  /** Whether the zone was written and is one. */
  zoned: boolean;
  /** Whether devices of the kind are known to write the time of another zone. */
  zoneDoubted?: boolean;
}

export interface Picture {
  name: string;
  contentType: string;
  bytes: Buffer;
}

/**
 * By what one alarm of a registration is told from another: two that differ in one part are two alarms.
 * null: the device does not say.
 */
export interface AlarmIdentity {
  /** Serial number or MAC of whoever speaks, since several may speak for one registration. */
  device: string | null;
  channel: string | null;
  /** The device's own word for what happened, or the topic of it. */
  word: string;
  /** The rule, region, line, input or other source that raised it. */
  rule: string | null;
  /** The kind of object that it was raised for. */
  object: string | null;
  /** What tells one occurrence from the next where devices tell each: a plate, a face, a number. */
  each: string | null;
}

/** An alarm as a source understood it. */
export interface Occurrence {
  what: 'occurrence';
  /**
   * `active`: the alarm stands, and the device may say so again; `ended`: it is over; `single`: it is told
   * once, under `id`.
   */
  state: 'active' | 'ended' | 'single';
  /** Whether an active alarm is repeated while it lasts. */
  repeats: boolean;
  /** Whether an end of what does not stand tells of an alarm whose beginning was missed. */
  tellsBeginning?: boolean;
  /** Whether `identity` names this occurrence alone: it begins once, however late it is told again. */
  unique?: boolean;
  identity: AlarmIdentity;
  /** Whether it tells that an alarm lasts, which may be any of those that its identity leaves open. */
  lasts?: boolean;
  /** The device's own id of this occurrence. */
  id: string | null;
  /** That id as people look for it in the sender, where `id` is made of it and more. */
  number?: string | null;
  /** The device's own word. */
  rawType: string;
  type: string;
  /** Whether a table had the type. */
  known: boolean;
  /** null: as configured. */
  severity: DeviceSeverity | null;
  kind: 'alert' | 'observation';
  /** Serial number or MAC of whoever speaks. */
  serial: string | null;
  channel: string | null;
  cameraName: string | null;
  title: string | null;
  description: string | null;
  time: DeviceTime | null;
  /** Whether the device sends it again, or late, and says so. */
  late: boolean;
  /** Whether `time` is that of its beginning, however long ago that is, and no word of the present. */
  begunBefore?: boolean;
  payload: Record<string, unknown>;
  pictures: Picture[];
  /** Where the device is told what was judged of it. */
  feedbackUrl?: string | undefined;
  /** Addresses where the device keeps pictures of it. */
  pictureUrls: string[];
  /** Pictures that the device announced or began to send, and that did not come whole. */
  picturesLost?: number;
}

/** Fetches pictures that a device keeps. It takes a few seconds at most, and never fails. */
export type FetchPictures = (occurrence: Occurrence) => Promise<Picture[]>;

/** The device lives, and has nothing to tell. */
export interface Heartbeat {
  what: 'heartbeat';
  time: DeviceTime | null;
  /** Whether it has just begun anew: it tells no end of what stood before. */
  begun?: boolean;
}

/** Something that is no message of this source. */
export interface Unreadable {
  what: 'unreadable';
  reason: string;
}

export type Reading = Occurrence | Heartbeat | Unreadable;
