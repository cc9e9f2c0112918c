// One alarm is one alarm, in the messages of every kind of device: no two that differ in device, channel,
// rule or object are ever one event, no end closes the alarm of another, and a repetition is no event.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axis } from '../../site/intake/axis/parse.ts';
import { cloudEvents } from '../../site/intake/cloudevents/parse.ts';
import { dahua, headersOf as ofSerial } from '../../site/intake/dahua/parse.ts';
import { type DeviceEvent, eventOf, withDoubt } from '../../site/intake/device/event.ts';
import type { Source } from '../../site/intake/driver.ts';
import { Episodes } from '../../site/intake/episode/episodes.ts';
import { frigate } from '../../site/intake/frigate/parse.ts';
import { hikvision } from '../../site/intake/hikvision/parse.ts';
import { headersOf as ofDevice, NOBODY } from '../../site/intake/onvif/identity.ts';
import { onvif } from '../../site/intake/onvif/parse.ts';
import type { DevicePort } from '../../site/intake/port.ts';
import type { Device, DeviceConfig, Episode, Occurrence } from '../../site/intake/record.ts';
import { webhook } from '../../site/intake/webhook/parse.ts';

const AT = Date.UTC(2026, 5, 1, 8);
const TIME = new Date(AT).toISOString();

/** What an alarm is about; null: the device does not say. */
interface About {
  device: string;
  channel: string;
  rule: string | null;
  object: string | null;
}
type Say = (about: About, state: 'active' | 'ended') => Occurrence[];

const parsed = (
  source: Source,
  body: unknown,
  { config = {}, headers = {} }: { config?: DeviceConfig; headers?: Record<string, string> } = {},
): Occurrence[] => {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const readings = source.parse([{ headers: {}, body: bytes }], config, { headers });
  return readings.filter((one) => one.what === 'occurrence');
};
const tag = (name: string, value: string | null): string =>
  value === null ? '' : `<${name}>${value}</${name}>`;
const items = (name: string, members: Record<string, string>): string =>
  `<tt:${name}>${Object.entries(members)
    .map(([member, value]) => `<tt:SimpleItem Name="${member}" Value="${value}"/>`)
    .join('')}</tt:${name}>`;
const given = <T>(name: string, value: T | null): Record<string, T> =>
  value === null ? {} : { [name]: value };

const byHikvision: Say = ({ device, channel, rule, object }, state) =>
  parsed(
    hikvision,
    `<EventNotificationAlert><macAddress>00:00:00:00:00:0${device}</macAddress><channelID>${channel}</channelID>` +
      `<dateTime>${TIME}</dateTime><eventType>linedetection</eventType><eventState>${
        state === 'active' ? 'active' : 'inactive'
      }</eventState><DetectionRegionList><DetectionRegionEntry>${tag('regionID', rule)}${tag(
        'detectionTarget',
        object,
      )}</DetectionRegionEntry></DetectionRegionList></EventNotificationAlert>`,
  );

/** The models of the platform are told apart by the rule, which is of one kind of object. */
const byPlatform: Say = ({ device, channel, rule, object }, state) =>
  parsed(hikvision, {
    macAddress: `00:00:00:00:00:0${device}`,
    channelID: channel,
    dateTime: TIME,
    eventType: 'AIOP_Video',
    eventState: state === 'active' ? 'active' : 'inactive',
    AIOPData: {
      events: { alertInfo: [{ ruleInfo: { ruleID: `${rule}${object}`, ruleName: '未佩戴安全帽' } }] },
    },
  });

const byDahua: Say = ({ device, channel, rule, object }, state) => {
  const data = { ...given('Name', rule), ...(object === null ? {} : { Object: { ObjectType: object } }) };
  const action = state === 'active' ? 'Start' : 'Stop';
  const record = `Code=CrossRegionDetection;action=${action};index=${channel};data=${JSON.stringify(data)}`;
  return parsed(dahua, record, { headers: ofSerial(device) as Record<string, string> });
};

/** One rule of Tapo tells of people, vehicles and pets by a member each. */
const byOnvif: Say = ({ device, channel, rule, object }, state) => {
  const member = object === null ? 'State' : object === 'human' ? 'IsPeople' : 'IsVehicle';
  const source = { VideoSourceConfigurationToken: channel, Rule: `${rule}` };
  const text =
    '<NotificationMessage><Topic>tns1:RuleEngine/TPSmartEventDetector/TPSmartEvent</Topic><Message>' +
    `<tt:Message UtcTime="${TIME}" PropertyOperation="Changed">${items('Source', source)}` +
    `${items('Data', { [member]: String(state === 'active') })}</tt:Message></Message></NotificationMessage>`;
  const receipt = { at: AT, deviceAt: AT, clockOff: 0 };
  return parsed(onvif, text, {
    headers: ofDevice({ ...NOBODY, serial: device }, receipt) as Record<string, string>,
  });
};

const byAxis: Say = ({ device, channel, rule, object }, state) =>
  parsed(axis, {
    timestamp: AT,
    serial: device,
    topic: 'axis:CameraApplicationPlatform/ObjectAnalytics/Device1Scenario1',
    message: {
      source: { channel },
      key: { rule: `${rule}` },
      data: { active: state === 'active' ? '1' : '0', ...given('classTypes', object) },
    },
  });

/** A review of Frigate has an id of its own. */
const byFrigate: Say = ({ device, channel, rule, object }, state) =>
  parsed(
    frigate,
    {
      type: state === 'active' ? 'new' : 'end',
      after: {
        id: `1718987129.3-${rule}${object}`,
        camera: channel,
        severity: 'alert',
        start_time: AT / 1000,
        data: { objects: object === null ? [] : [object] },
      },
    },
    { config: { topic: device }, headers: { topic: `${device}/reviews` } },
  ).filter(({ identity }) => identity.word === 'alert');

const FIELDS = { device: 'box', camera: 'cam', type: 'kind', rule: 'rule', object: 'what', state: 'state' };
const byWebhook: Say = ({ device, channel, rule, object }, state) =>
  parsed(
    webhook,
    { box: device, cam: channel, kind: 'line.crossing', rule, what: object, state },
    { config: { fields: FIELDS } },
  );

class Rig {
  #rows = new Map<string, Episode>();
  /** By idempotency key: what has one that is known is not stored. */
  #events = new Map<string, { id: number; event: DeviceEvent }>();
  #at = AT;
  #marks = 0;
  #device: Device = {
    keyId: 'k',
    kind: 'webhook',
    tokenHash: '',
    secretRef: null,
    config: {},
    createdAt: 0,
    tenantCode: 'acme',
    name: 'gate',
  };
  #episodes = new Episodes({
    devices: {
      unsettled: () => Promise.resolve([]),
      episode: (keyId, alarm) => Promise.resolve(this.#rows.get(`${keyId} ${alarm}`) ?? null),
      save: (rows) => {
        for (const row of rows) this.#rows.set(`${row.keyId} ${row.alarm}`, { ...row });
        return Promise.resolve();
      },
    } as Pick<DevicePort, 'unsettled' | 'episode' | 'save'> as DevicePort,
    clock: { now: () => this.#at, monotonic: () => this.#at, newId: () => String((this.#marks += 1)) },
    storeEvent: (pending) => {
      const event = JSON.parse(pending) as DeviceEvent;
      const known = this.#events.get(event.idempotency_key);
      const id = known?.id ?? this.#events.size + 1;
      if (!known) this.#events.set(event.idempotency_key, { id, event });
      return Promise.resolve(id);
    },
  });

  /** @returns how many events became of it */
  async hear(said: readonly Occurrence[]): Promise<number> {
    const before = this.#events.size;
    for (const occurrence of said) {
      const event = eventOf(this.#device, 'x', occurrence, AT);
      await this.#episodes.report(this.#device, occurrence, {
        event: (doubt) => Promise.resolve(JSON.stringify(doubt ? withDoubt(event, doubt) : event)),
        known: () => Promise.resolve(this.#events.get(event.idempotency_key)?.id ?? null),
      });
    }
    return this.#events.size - before;
  }

  /** Nothing is heard for so long, ms. */
  async wait(ms: number): Promise<void> {
    this.#at += ms;
    await this.#episodes.sweep(() => this.#device);
  }

  /** What each event says that it may be the same as. */
  get doubts(): unknown[] {
    return [...this.#events.values()].map(({ event }) => event.payload?.maybe_same_as ?? null);
  }

  keyOf = (occurrence: Occurrence): string => eventOf(this.#device, 'x', occurrence, AT).idempotency_key;
}

const aboutOf = fc.record({
  device: fc.constantFrom('1', '2'),
  channel: fc.constantFrom('1', '2'),
  rule: fc.constantFrom('1', '2', null),
  object: fc.constantFrom('human', 'vehicle', null),
});
const story = fc.array(fc.record({ about: aboutOf, state: fc.constantFrom('active', 'ended') }), {
  minLength: 1,
  maxLength: 25,
});

test.each<[string, Say, { anyRule: boolean; anyObject: boolean; once: boolean }]>([
  ['Hikvision', byHikvision, { anyRule: true, anyObject: true, once: false }],
  ['the AI platform of Hikvision', byPlatform, { anyRule: false, anyObject: false, once: false }],
  ['Dahua', byDahua, { anyRule: true, anyObject: true, once: false }],
  ['ONVIF', byOnvif, { anyRule: false, anyObject: true, once: false }],
  ['Axis', byAxis, { anyRule: false, anyObject: true, once: false }],
  ['Frigate', byFrigate, { anyRule: false, anyObject: false, once: true }],
  ['webhooks', byWebhook, { anyRule: true, anyObject: true, once: false }],
])(
  '%s: what differs is two events, an end is that of its own, and a repetition is none',
  async (_, say, how) => {
    const speaksOf = (end: About, alarm: About): boolean =>
      end.device === alarm.device &&
      end.channel === alarm.channel &&
      (end.rule === alarm.rule || (how.anyRule && end.rule === null)) &&
      (end.object === alarm.object || (how.anyObject && end.object === null));
    await fc.assert(
      fc.asyncProperty(story, async (steps) => {
        const rig = new Rig();
        const standing = new Map<string, About>();
        const told = new Set<string>();
        for (const { about, state } of steps) {
          const name = JSON.stringify(about);
          const events = await rig.hear(say(about, state));
          if (state === 'active') {
            expect(events).toBe(standing.has(name) || (how.once && told.has(name)) ? 0 : 1);
            standing.set(name, about);
            told.add(name);
            continue;
          }
          // An end of what was never told is an event where it tells of an occurrence of its own.
          const missed = how.once ? !told.has(name) : false;
          if (say === byWebhook) expect(events).toBeLessThanOrEqual(1);
          else expect(events).toBe(missed ? 1 : 0);
          told.add(name);
          for (const [other, alarm] of standing) if (speaksOf(about, alarm)) standing.delete(other);
        }
      }),
      { numRuns: 150 },
    );
  },
);

/** Those that tell a beginning and an end, and by seconds; a review of Frigate has an id of its own. */
const SECONDS: [string, Say][] = [
  ['Hikvision', byHikvision],
  ['the AI platform of Hikvision', byPlatform],
  ['Dahua', byDahua],
  ['ONVIF', byOnvif],
  ['Axis', byAxis],
  ['webhooks', byWebhook],
];
/** Alarms that follow one another within a second of the device, and what comes between. */
const followers = fc.array(fc.constantFrom('over', 'silence', 'more') satisfies fc.Arbitrary<Between>, {
  minLength: 1,
  maxLength: 6,
});
type Between = 'over' | 'silence' | 'more';

test.each(SECONDS)(
  '%s: two occurrences within a second are two, and the second says so; the same message again is none',
  async (_, say) => {
    const about: About = { device: '1', channel: '1', rule: '1', object: 'human' };
    await fc.assert(
      fc.asyncProperty(followers, async (between) => {
        const rig = new Rig();
        const [first] = say(about, 'active');
        if (!first) throw new Error('the device says nothing');
        expect(await rig.hear([first])).toBe(1);
        let expected = 1;
        let said = first;
        let stands = true;
        for (const one of between) {
          // An end of what does not stand ends nothing.
          if (one === 'over' && !stands) continue;
          if (one === 'over') await rig.hear(say(about, 'ended'));
          else await rig.wait(first.repeats ? 31_000 : 86_400_001);
          // What it says beside is another, or every byte is as before.
          if (one === 'more') said = { ...said, payload: { ...said.payload, more: expected } };
          stands = one !== 'silence';
          expect(await rig.hear([said])).toBe(stands ? 1 : 0);
          if (stands) expected += 1;
        }
        expect(rig.doubts).toHaveLength(expected);
        expect(rig.doubts.slice(1)).not.toContain(null);
        expect(rig.doubts[0]).toBeNull();
      }),
      { numRuns: 60 },
    );
  },
);

test('CloudEvents: source and id tell one from the next, and the same again is the same', () => {
  const rig = new Rig();
  const keyOf = ({ device, channel, rule, object }: About): string => {
    const event = {
      specversion: '1.0',
      id: `${channel}${rule}${object}`,
      source: device,
      type: 'fire.detected',
    };
    return parsed(cloudEvents, event).map(rig.keyOf).join();
  };
  fc.assert(
    fc.property(aboutOf, aboutOf, (one, other) => {
      expect(keyOf(one) === keyOf(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
    }),
  );
});
