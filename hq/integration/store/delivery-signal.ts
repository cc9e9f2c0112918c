// Hears of new deliveries from whichever process wrote them. A connection of its own: one of the pool would
// be missed there.
import type { Logger } from '../../../common/log.ts';
import type { DeliverySignal } from '../port.ts';
import { DELIVERY_CHANNEL } from './business-event.ts';
import { requireWritable, Servers, WritingClient } from '../../store/engine/servers.ts';

/** The senders look by themselves too, so that a lost listener costs time only. */
const RECONNECT_MS = 2_000;
/** How often the connection is tried: one whose server vanished, or was demoted, would be silent for ever. */
const TRY_MS = 10_000;
const ANSWER_MS = 5_000;

export function createDeliverySignal(url: string, log: Logger): DeliverySignal {
  const servers = new Servers(url);
  let client: WritingClient | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function connect(onSignal: () => void): Promise<void> {
    const fresh = new WritingClient(servers, {
      application_name: 'fieldline-hq deliveries',
      keepAlive: true,
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
    });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost) return;
      lost = true;
      servers.doubt();
      if (stopped) return;
      log.warn({ err: error }, 'the connection that hears of deliveries was lost; it is made anew');
      fresh.end().catch((cause: unknown) => log.debug({ err: cause }, 'a lost connection did not close'));
      clearTimeout(timer);
      timer = setTimeout(() => void connect(onSignal), RECONNECT_MS);
    };
    const tryLater = (): void => {
      if (lost || stopped) return;
      timer = setTimeout(() => void requireWritable(fresh).then(tryLater, onLost), TRY_MS);
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
      tryLater();
    } catch (error) {
      onLost(error as Error);
    }
  }

  return {
    start: (onSignal) => void connect(onSignal),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await client
        ?.end()
        .catch((error: unknown) =>
          log.debug({ err: error }, 'the connection that hears of deliveries did not close'),
        );
    },
  };
}
