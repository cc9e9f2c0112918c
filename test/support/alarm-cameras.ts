// Cameras of Hikvision that repeat their alarms, as many as are wanted, and send again what nobody answered.
import { setTimeout as pause } from 'node:timers/promises';
import { Agent } from 'undici';
import { agentOptions, request } from './request.ts';

/** A camera says so often that its alarm stands, ms. */
const EVERY_MS = 250;
/** What nobody answered is sent again after so long, ms. */
const AGAIN_MS = 200;
/**
 * A post is given up after so long, ms. A site that is dead breaks off at once; one that is slow may still
 * carry out what was given up, so that an end comes into the alarm after it.
 */
const GIVEN_UP_MS = 120_000;

export interface AlarmCamerasOptions {
  url: string;
  /** Of each camera. */
  paths: readonly string[];
  /** Each alarm that has begun is ended, also beyond this. */
  forMs: number;
  /** Bytes of the picture that comes with the first report of each alarm; 0: none. */
  pictureBytes: number;
}

export interface AlarmsSent {
  /** Alarms whose first report was answered with 200. */
  alarms: number;
  posts: number;
  /** Posts that were sent again. */
  again: number;
  pictures: number;
  /** Of the posts that were answered at once, ms, ascending. */
  tookMs: number[];
}

/**
 * Each camera begins an alarm, repeats it four times a second, ends it, and begins the next one: every post
 * is sent until it is answered with 200, with the time that it had at first.
 */
export async function sendAlarms(options: AlarmCamerasOptions): Promise<AlarmsSent> {
  const sent: AlarmsSent = { alarms: 0, posts: 0, again: 0, pictures: 0, tookMs: [] };
  const agent = new Agent(agentOptions({ connections: 32 }));
  try {
    await Promise.all(
      options.paths.map((path, index) => oneCamera({ ...options, path, index, agent }, sent)),
    );
  } finally {
    await agent.destroy();
  }
  sent.tookMs.sort((a, b) => a - b);
  return sent;
}

interface Camera extends AlarmCamerasOptions {
  path: string;
  index: number;
  agent: Agent;
}

async function oneCamera(camera: Camera, sent: AlarmsSent): Promise<void> {
  const { index, forMs, pictureBytes } = camera;
  const began = performance.now();
  let due = began + (index / 50) * EVERY_MS;
  // Between five and nine reports, the last of which is the end.
  const reports = 5 + (index % 5);
  const isOver = (count: number): boolean =>
    count > 0 && count % reports === 0 && performance.now() - began >= forMs;
  for (let count = 0; !isOver(count); count += 1) {
    const first = count % reports === 0;
    const state = count % reports === reports - 1 ? 'inactive' : 'active';
    const alert = alertOf(index, { state, count: (count % reports) + 1 });
    await post(camera, first && pictureBytes > 0 ? withPicture(alert, pictureBytes, count) : alert, sent);
    if (first) sent.alarms += 1;
    if (first && pictureBytes > 0) sent.pictures += 1;
    // What was missed is not made up for: two alarms that begin within one second have one time.
    due = Math.max(due + EVERY_MS, performance.now());
    await pause(Math.max(0, due - performance.now()));
  }
}

async function post({ url, path, agent }: Camera, body: Buffer, sent: AlarmsSent): Promise<void> {
  const headers = { 'content-type': body[0] === 0x2d ? 'multipart/form-data; boundary=MIME' : 'text/xml' };
  for (;;) {
    const began = performance.now();
    const answer = await request({
      url,
      method: 'POST',
      path,
      headers,
      body,
      agent,
      timeoutMs: GIVEN_UP_MS,
    }).catch(() => null);
    if (answer?.status === 200) {
      sent.posts += 1;
      sent.tookMs.push(performance.now() - began);
      return;
    }
    sent.again += 1;
    await pause(AGAIN_MS);
  }
}

function alertOf(index: number, { state, count }: { state: string; count: number }): Buffer {
  const time = `${new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`;
  const mac = `ac:b9:2f:00:00:${index.toString(16).padStart(2, '0')}`;
  return Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<EventNotificationAlert version="2.0">\n` +
      `<macAddress>${mac}</macAddress>\n<channelID>1</channelID>\n<dateTime>${time}</dateTime>\n` +
      `<activePostCount>${count}</activePostCount>\n<eventType>fielddetection</eventType>\n` +
      `<eventState>${state}</eventState>\n<eventDescription>fielddetection alarm</eventDescription>\n` +
      `<DetectionRegionList><DetectionRegionEntry><regionID>1</regionID></DetectionRegionEntry>` +
      `</DetectionRegionList>\n</EventNotificationAlert>\n`,
  );
}

function withPicture(alert: Buffer, bytes: number, fill: number): Buffer {
  const picture = Buffer.alloc(bytes, fill % 251);
  picture.set([0xff, 0xd8, 0xff, 0xe0], 0);
  picture.set([0xff, 0xd9], bytes - 2);
  const part = (name: string, type: string, body: Buffer): Buffer[] => [
    Buffer.from(`--MIME\r\nContent-Disposition: form-data; name="${name}"\r\nContent-Type: ${type}\r\n\r\n`),
    body,
    Buffer.from('\r\n'),
  ];
  return Buffer.concat([
    ...part('alert.xml', 'application/xml', alert),
    ...part('picture.jpg', 'image/jpeg', picture),
    Buffer.from('--MIME--\r\n'),
  ]);
}
