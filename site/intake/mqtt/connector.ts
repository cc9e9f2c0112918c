// One connection to an MQTT broker. A message is acknowledged when it is on the disk; the broker keeps what
// comes meanwhile, and while the site is away, as far as it was sent with QoS 1.
import { type IPublishPacket, MqttClient } from 'mqtt';
import { ConnectionFault, type ConnectionMessage } from '../connection/fault.ts';
import type { Connector, Session } from '../connection/session.ts';
import type { FetchPictures } from '../record.ts';
import { PacketFault, TrimmedSocket } from './trim.ts';

const KEEPALIVE_S = 30;
const CONNECT_MS = 10_000;
/** What a broker has kept for a site that was away comes right after the connection, ms. */
const KEPT_MS = 5_000;
const AWAY_AGAIN_MS = 60_000;
/** Answers of a broker to wrong credentials (MQTT 3.1.1, 3.2.2.3). */
const BAD_CREDENTIALS = new Set([4, 5]);

export interface Subscribing {
  topics: (session: Session) => string[];
  /** By a message: why what publishes is not there; null: it is; undefined: it says nothing of it. */
  away?: (session: Session, topic: string, payload: Buffer) => ConnectionMessage | null | undefined;
  /** Fetches pictures of what comes; null where the kind has none. */
  pictures?: (session: Session) => FetchPictures | null;
}

/** How devices are listened to that publish to a broker. */
export const mqttConnector = (how: Subscribing): Connector => ({
  // More than two answers to pings are missing.
  quietMs: KEEPALIVE_S * 2_500,
  connect: (session) => listen(session, how),
});

async function listen(session: Session, how: Subscribing): Promise<void> {
  const topics = how.topics(session);
  const fetch = how.pictures?.(session) ?? null;
  const presence = new Presence(session);
  const { client, broker } = await open(session);
  let keptUntil = -Infinity;
  // MQTT.js acknowledges when this has called back.
  client.handleMessage = (packet, done) => {
    const away = how.away?.(session, packet.topic, bytesOf(packet));
    if (away !== undefined) presence.tell(away);
    take(session, { packet, fetch, queued: session.now() < keptUntil }).then(() => done(), done);
  };
  const stop = (): void => void client.end(true);
  try {
    await new Promise<void>((resolve, reject) => {
      client.on('packetreceive', () => session.alive());
      client.on('error', (error) => reject(faultOf(error, session, broker)));
      client.on('close', resolve);
      client.on('connect', ({ sessionPresent }) => {
        if (sessionPresent) keptUntil = session.now() + KEPT_MS;
        client.subscribe(topics, { qos: 1 }, (error, granted = []) => {
          const refused = granted.find(({ qos }) => qos === 128)?.topic;
          if (refused !== undefined || error) reject(topicFault(broker, refused ?? topics.join(', ')));
          else session.connected();
        });
      });
      session.signal.addEventListener('abort', stop, { once: true });
      if (session.signal.aborted) stop();
    });
  } finally {
    session.signal.removeEventListener('abort', stop);
    presence.end();
    // What comes after the end is of no interest, and must not end the process.
    client.on('error', () => undefined);
    client.end(true);
  }
}

/** A client on a socket of the session's. @returns also the broker's `host:port`, for messages */
async function open(session: Session): Promise<{ client: MqttClient; broker: string }> {
  const { hostname, port, protocol } = new URL(session.device.config.address ?? '');
  const secure = protocol === 'mqtts:';
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = port === '' ? (secure ? 8883 : 1883) : Number(port);
  const socket = await session.socket({ host, port: at, secure });
  const { user } = session.device.config;
  const client = new MqttClient(() => new TrimmedSocket(socket, session), {
    clientId: `fieldline-${session.device.keyId}`,
    // The broker keeps the subscription, and what comes for it while nobody listens.
    clean: false,
    protocolVersion: 4,
    keepalive: KEEPALIVE_S,
    connectTimeout: CONNECT_MS,
    // Connecting anew is the connection's own.
    reconnectPeriod: 0,
    ...(user === undefined ? {} : { username: user }),
    ...(session.password === null ? {} : { password: session.password }),
  });
  return { client, broker: `${host}:${at}` };
}

const bytesOf = ({ payload }: IPublishPacket): Buffer =>
  Buffer.isBuffer(payload) ? payload : Buffer.from(payload);

/** Whether what publishes is there. One that is away is told of again and again, for an alarm to come. */
class Presence {
  #session: Session;
  #again: NodeJS.Timeout | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  tell(fault: ConnectionMessage | null): void {
    this.end();
    this.#session.away(fault);
    if (fault) this.#again = setInterval(() => this.#session.away(fault), AWAY_AGAIN_MS);
  }

  end(): void {
    clearInterval(this.#again);
  }
}

interface Arrived {
  packet: IPublishPacket;
  fetch: FetchPictures | null;
  queued: boolean;
}

async function take(session: Session, { packet, fetch, queued }: Arrived): Promise<void> {
  // One that was too large has none left.
  const payload = bytesOf(packet);
  const headers = {
    topic: packet.topic,
    ...(packet.retain ? { retained: '1' } : {}),
    ...(queued ? { queued: '1' } : {}),
  };
  const message = { contentType: 'application/json', headers, parts: [{ headers: {}, body: payload }] };
  await session.take({ ...message, bytes: payload.length }, fetch ?? undefined);
}

function faultOf(error: Error & { code?: unknown }, { device, password }: Session, host: string): Error {
  if (error instanceof PacketFault)
    return new ConnectionFault({ code: 'device_answer_wrong', params: { host, reason: error.message } });
  if (typeof error.code !== 'number') return error;
  if (BAD_CREDENTIALS.has(error.code)) {
    const wanted = device.config.user === undefined || password === null;
    return new ConnectionFault({
      code: wanted ? 'device_password_wanted' : 'device_password_refused',
      params: { host },
    });
  }
  return new ConnectionFault({
    code: 'device_answer_wrong',
    params: { host, reason: error.message.slice(0, 200) },
  });
}

const topicFault = (host: string, topic: string): ConnectionFault =>
  new ConnectionFault({ code: 'device_topic_refused', params: { host, topic } });
