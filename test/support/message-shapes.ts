// The messages that devices were recorded with, of every kind of device.
import { axis } from '../../site/intake/axis/parse.ts';
import { cloudEvents } from '../../site/intake/cloudevents/parse.ts';
import { dahua, headersOf as ofSerial } from '../../site/intake/dahua/parse.ts';
import type { Source } from '../../site/intake/driver.ts';
import { frigate } from '../../site/intake/frigate/parse.ts';
import { hikvision } from '../../site/intake/hikvision/parse.ts';
import { headersOf as ofDevice, NOBODY } from '../../site/intake/onvif/identity.ts';
import { onvif } from '../../site/intake/onvif/parse.ts';
import type { DeviceConfig, Occurrence } from '../../site/intake/record.ts';
import { webhook } from '../../site/intake/webhook/parse.ts';

const AT = Date.UTC(2026, 5, 1, 8);
const TIME = new Date(AT).toISOString();

/** What a message is about: a number each, which a shape writes as its device does. */
export interface About {
  device: number;
  channel: number;
  rule: number;
  object: number;
}
export type Part = keyof About;

/** One form of message. */
export interface Shape {
  name: string;
  /** What it has a place for. */
  tells: readonly Part[];
  /** Whether it tells an end, and whether one may leave out the rule and the object. */
  ends: boolean;
  leaves?: boolean;
  say(about: About, ended: boolean, bare: boolean): Occurrence[];
}

const ALL: readonly Part[] = ['device', 'channel', 'rule', 'object'];

interface Sent {
  config?: DeviceConfig;
  headers?: Record<string, string>;
}
function parsed(source: Source, body: unknown, { config = {}, headers = {} }: Sent = {}): Occurrence[] {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return source
    .parse([{ headers: {}, body: bytes }], config, { headers })
    .filter((one) => one.what === 'occurrence');
}

const macOf = (device: number): string => `a4:14:37:00:00:0${device}`;
const kindOf = (object: number): string => ['human', 'vehicle', 'animal'][object] ?? 'human';
const region = ({ rule, object }: About, target: boolean): string =>
  `<DetectionRegionList><DetectionRegionEntry><regionID>${rule}</regionID><sensitivityLevel>50</sensitivityLevel>` +
  `${target ? `<detectionTarget>${kindOf(object)}</detectionTarget>` : ''}</DetectionRegionEntry></DetectionRegionList>`;

/** As cameras and recorders write it, in XML. */
function hikvisionXml(word: string, more: (about: About) => string, tells: readonly Part[]): Shape {
  return {
    name: `Hikvision ${word}`,
    tells,
    ends: true,
    leaves: true,
    say: (about, ended, bare) =>
      parsed(
        hikvision,
        `<EventNotificationAlert version="2.0"><ipAddress>192.168.1.64</ipAddress><portNo>80</portNo>` +
          `<macAddress>${macOf(about.device)}</macAddress><channelID>${about.channel}</channelID>` +
          `<dateTime>${TIME}</dateTime><activePostCount>1</activePostCount><eventType>${word}</eventType>` +
          `<eventState>${ended ? 'inactive' : 'active'}</eventState>${bare ? '' : more(about)}</EventNotificationAlert>`,
      ),
  };
}

const hikvisionPlatform: Shape = {
  name: 'Hikvision AIOP_Video',
  tells: ['device', 'channel', 'rule'],
  ends: true,
  say: ({ device, channel, rule }, ended) =>
    parsed(hikvision, {
      macAddress: macOf(device),
      channelID: channel,
      dateTime: TIME,
      eventType: 'AIOP_Video',
      eventState: ended ? 'inactive' : 'active',
      AIOPData: { events: { alertInfo: [{ ruleInfo: { ruleID: rule, ruleCustomName: '明火' } }] } },
    }),
};

const door: Shape = {
  name: 'Hikvision AccessControllerEvent',
  tells: ['device', 'channel', 'object'],
  ends: false,
  say: ({ device, channel, object }) =>
    parsed(hikvision, {
      macAddress: macOf(device),
      channelID: channel,
      dateTime: TIME,
      eventType: 'AccessControllerEvent',
      AccessControllerEvent: { majorEventType: 5, subEventType: 75, serialNo: object + 1 },
    }),
};

function dahuaRecord(code: string, dataOf: (about: About) => object | null, tells: readonly Part[]): Shape {
  return {
    name: `Dahua ${code}`,
    tells,
    ends: true,
    leaves: true,
    say: (about, ended, bare) => {
      const data = bare ? null : dataOf(about);
      const text =
        `Code=${code};action=${ended ? 'Stop' : 'Start'};index=${about.channel}` +
        (data === null ? '' : `;data=${JSON.stringify(data)}`);
      return parsed(dahua, text, { headers: ofSerial(`6J0${about.device}`) as Record<string, string> });
    },
  };
}

const items = (name: string, members: Record<string, string>): string =>
  `<tt:${name}>${Object.entries(members)
    .map(([member, value]) => `<tt:SimpleItem Name="${member}" Value="${value}"/>`)
    .join('')}</tt:${name}>`;

interface Topic {
  tells: readonly Part[];
  source: (about: About) => Record<string, string>;
  data: (about: About, on: string) => Record<string, string>;
}
function onvifTopic(topic: string, { tells, source, data }: Topic): Shape {
  return {
    name: `ONVIF ${topic}`,
    tells,
    ends: true,
    say: (about, ended) =>
      parsed(
        onvif,
        `<NotificationMessage><Topic>${topic}</Topic><Message><tt:Message UtcTime="${TIME}" PropertyOperation="Changed">` +
          `${items('Source', source(about))}${items('Data', data(about, String(!ended)))}</tt:Message></Message></NotificationMessage>`,
        {
          headers: ofDevice(
            { ...NOBODY, serial: `SN${about.device}` },
            { at: AT, deviceAt: AT, clockOff: 0 },
          ) as Record<string, string>,
        },
      ),
  };
}
const ruled = ({ channel, rule }: About): Record<string, string> => ({
  VideoSourceConfigurationToken: `VSC${channel}`,
  VideoAnalyticsConfigurationToken: 'VAC0',
  Rule: `Rule${rule}`,
});

function axisTopic(topic: string, source: (about: About) => object, tells: readonly Part[]): Shape {
  return {
    name: `Axis ${topic}`,
    tells,
    ends: true,
    say: (about, ended) =>
      parsed(axis, {
        timestamp: AT,
        serial: `ACCC8E00000${about.device}`,
        topic: topic.replace('#', String(about.rule)),
        message: {
          source: source(about),
          key: {},
          data: {
            active: ended ? '0' : '1',
            ...(tells.includes('object') ? { classTypes: kindOf(about.object) } : {}),
          },
        },
      }),
  };
}

function frigateTopic(
  name: string,
  tells: readonly Part[],
  told: (about: About, ended: boolean) => [string, unknown],
): Shape {
  return {
    name: `Frigate ${name}`,
    tells,
    ends: name !== 'tracked_object_update',
    say: (about, ended) => {
      const [topic, body] = told(about, ended);
      const prefix = `frigate${about.device}`;
      return parsed(frigate, body, { config: { topic: prefix }, headers: { topic: `${prefix}/${topic}` } });
    },
  };
}
const review = ({ channel, rule, object }: About, ended: boolean): object => ({
  type: ended ? 'end' : 'new',
  after: {
    id: `1718987129.${rule}-${object}`,
    camera: `cam${channel}`,
    severity: 'alert',
    start_time: AT / 1000,
    end_time: ended ? AT / 1000 + 5 : null,
    data: { objects: ['person', 'car', 'dog'].slice(object, object + 1), zones: [], audio: [] },
  },
});
const classified = ({ channel, rule, object }: About): object => ({
  type: 'classification',
  id: `1718987129.${object}-x`,
  camera: `cam${channel}`,
  timestamp: AT / 1000,
  model: `helmet_model_${rule}`,
  attribute: 'no',
  score: 0.9,
});

const FIELDS = {
  ...{ list: 'params.events', type: 'eventType', time: 'happenTime', state: 'status' },
  ...{ device: 'box', camera: 'srcIndex', rule: 'ruleId', object: 'target' },
};
const platform: Shape = {
  name: 'webhook of a platform',
  tells: ALL,
  ends: true,
  leaves: true,
  say: ({ device, channel, rule, object }, ended, bare) => {
    const what = bare ? {} : { ruleId: rule, target: kindOf(object) };
    const event = { eventType: 131588, happenTime: TIME, status: ended ? 2 : 1, srcIndex: channel, ...what };
    const body = { method: 'OnEventNotify', params: { events: [{ ...event, box: `b${device}` }] } };
    return parsed(webhook, body, { config: { fields: FIELDS, stateEnds: ['2'] } });
  },
};
const cloud: Shape = {
  name: 'CloudEvents',
  tells: ALL,
  ends: false,
  say: ({ device, channel, rule, object }) =>
    parsed(cloudEvents, {
      specversion: '1.0',
      type: 'fire.detected',
      source: `/box/${device}`,
      subject: `${channel}`,
      id: `${rule}-${object}-${channel}`,
    }),
};

/** By the kind of device. */
export const SHAPES: Record<string, readonly Shape[]> = {
  Hikvision: [
    hikvisionXml('VMD', () => '', ['device', 'channel']),
    hikvisionXml('linedetection', (about) => region(about, true), ALL),
    hikvisionXml('fielddetection', (about) => region(about, false), ['device', 'channel', 'rule']),
    hikvisionXml('IO', ({ rule }) => `<inputIOPortID>${rule}</inputIOPortID>`, ['device', 'channel', 'rule']),
    hikvisionXml('TMA', (about) => region(about, false), ['device', 'channel', 'rule']),
    hikvisionPlatform,
    door,
  ],
  Dahua: [
    ...['VideoMotion', 'AlarmLocal', 'VideoBlind'].map((code) =>
      dahuaRecord(code, () => null, ['device', 'channel']),
    ),
    ...['CrossLineDetection', 'CrossRegionDetection', 'LeftDetection'].map((code) =>
      dahuaRecord(
        code,
        ({ rule, object }) => ({ Name: `r${rule}`, Object: { ObjectType: kindOf(object) } }),
        ALL,
      ),
    ),
  ],
  ONVIF: [
    onvifTopic('tns1:RuleEngine/CellMotionDetector/Motion', {
      tells: ['device', 'channel', 'rule'],
      source: ruled,
      data: (_, on) => ({ IsMotion: on }),
    }),
    onvifTopic('tns1:RuleEngine/FieldDetector/ObjectsInside', {
      tells: ['device', 'channel', 'rule'],
      source: ruled,
      data: (_, on) => ({ IsInside: on }),
    }),
    onvifTopic('tns1:RuleEngine/TPSmartEventDetector/TPSmartEvent', {
      tells: ALL,
      source: ruled,
      data: ({ object }, on) => ({ [['IsPeople', 'IsVehicle', 'IsPet'][object] ?? 'IsPeople']: on }),
    }),
    onvifTopic('tns1:Device/Trigger/DigitalInput', {
      tells: ['device', 'rule'],
      source: ({ rule }) => ({ InputToken: `in${rule}` }),
      data: (_, on) => ({ LogicalState: on }),
    }),
    onvifTopic('tns1:VideoSource/GlobalSceneChange/ImagingService', {
      tells: ['device', 'channel'],
      source: ({ channel }) => ({ Source: `VS${channel}` }),
      data: (_, on) => ({ State: on }),
    }),
  ],
  Axis: [
    axisTopic('axis:CameraApplicationPlatform/ObjectAnalytics/Device1Scenario#', () => ({}), [
      'device',
      'rule',
      'object',
    ]),
    axisTopic('axis:CameraApplicationPlatform/VMD/Camera1Profile#', () => ({}), ['device', 'rule']),
    axisTopic('axis:VideoSource/Tampering', ({ channel }) => ({ channel }), ['device', 'channel']),
    axisTopic('axis:Device/IO/Port', ({ rule }) => ({ port: rule }), ['device', 'rule']),
  ],
  Frigate: [
    frigateTopic('reviews', ALL, (about, ended) => ['reviews', review(about, ended)]),
    frigateTopic('status', ['device', 'channel'], ({ channel }, ended) => [
      `cam${channel}/status/detect`,
      ended ? 'online' : 'offline',
    ]),
    frigateTopic('tracked_object_update', ALL, (about) => ['tracked_object_update', classified(about)]),
  ],
  webhooks: [platform, cloud],
};
