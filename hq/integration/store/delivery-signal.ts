// Hears of new deliveries from whichever process wrote them. A connection of its own: one of the pool would
// be missed there.
import type { Logger } from '../../../common/log.ts';
import { requireWritable, ServerClient, Servers } from '../../store/engine/servers.ts';
import type { DeliverySignal } from '../port.ts';
import { DELIVERY_CHANNEL } from './business-event.ts';

/** The senders look by themselves too, so that a lost listener costs time only. */
const RECONNECT_MS = 2_000;
/** How often the connection is tried: one whose server vanished, or was demoted, would be silent for ever. */
const TRY_MS = 10_000;
const ANSWER_MS = 5_000;

export class HubDeliverySignal implements DeliverySignal {
  #servers: Servers;
  #log: Logger;
  #client: ServerClient | null = null;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  /** @param url of the database, as `DATABASE_URL` */
  constructor(url: string, log: Logger) {
    this.#servers = new Servers(url);
    this.#log = log;
  }

  start(onSignal: () => void): void {
    void this.#connect(onSignal);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#client
      ?.end()
      .catch((error: unknown) =>
        this.#log.debug({ err: error }, 'the connection that hears of deliveries did not close'),
      );
  }

  async #connect(onSignal: () => void): Promise<void> {
    const client = new ServerClient(this.#servers, {
      application_name: 'fieldline-hq deliveries',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      this.#reconnect(client, onSignal, error);
    };
    const tryLater = (): void => {
      if (lost || this.#stopped) return;
      this.#timer = setTimeout(() => void requireWritable(client).then(tryLater, onLost), TRY_MS);
    };
    client.on('error', onLost);
    client.on('end', () => onLost());
    client.on('notification', onSignal);
    this.#client = client;
    try {
      await client.connect();
      await client.query(`listen ${DELIVERY_CHANNEL}`);
      // What was announced while nobody listened.
      onSignal();
      tryLater();
    } catch (error) {
      onLost(error as Error);
    }
  }

  #reconnect(lost: ServerClient, onSignal: () => void, error: Error | undefined): void {
    this.#servers.doubt();
    if (this.#stopped) return;
    this.#log.warn({ err: error }, 'the connection that hears of deliveries was lost; it is made anew');
    lost.end().catch((cause: unknown) => this.#log.debug({ err: cause }, 'a lost connection did not close'));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#connect(onSignal), RECONNECT_MS);
  }
}
