// Hears of new deliveries from whichever process wrote them. A connection of its own: one of the pool would be missed there.
import pg from 'pg';
import type { Logger } from '../../common/log.ts';
import type { DeliverySignal } from '../integration/port.ts';
import { DELIVERY_CHANNEL } from './business-events.ts';

/** The senders look by themselves too, so that a lost listener costs time only. */
const RECONNECT_MS = 2_000;

export function createDeliverySignal(url: string, log: Logger): DeliverySignal {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function connect(onSignal: () => void): Promise<void> {
    const fresh = new pg.Client({ connectionString: url, application_name: 'fieldline-hq deliveries', keepAlive: true, connectionTimeoutMillis: 5_000 });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      if (stopped) return;
      log.warn({ err: error }, 'the connection that hears of deliveries was lost; it is made anew');
      fresh.end().catch((cause: unknown) => log.debug({ err: cause }, 'a lost connection did not close'));
      timer = setTimeout(() => void connect(onSignal), RECONNECT_MS);
    };
    fresh.on('error', onLost);
    fresh.on('end', () => onLost());
    fresh.on('notification', onSignal);
    client = fresh;
    try {
      await fresh.connect();
      await fresh.query(`listen ${DELIVERY_CHANNEL}`);
      // What was announced while nobody listened.
      onSignal();
    } catch (error) {
      onLost(error as Error);
    }
  }

  return {
    start: (onSignal) => void connect(onSignal),
    stop: async () => {
      stopped = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch((error: unknown) => log.debug({ err: error }, 'the connection that hears of deliveries did not close'));
    },
  };
}
