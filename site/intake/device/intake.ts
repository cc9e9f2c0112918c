import type { Clock } from '../../../common/clock.ts';
import type { EventService } from '../../../common/core/event/service.ts';
import { AppError } from '../../../common/http/error.ts';
import type { Logger } from '../../../common/log.ts';
import type { Device } from '../record.ts';
import { actorOf } from './actor.ts';
import type { DeviceEvent } from './event.ts';
import type { DeviceStates } from './state.ts';

export interface DeviceIntakeOptions {
  events: Pick<EventService, 'take'>;
  states: DeviceStates;
  clock: Pick<Clock, 'now'>;
  log: Logger;
}

/** `duplicate`: the event was known. */
export interface Stored {
  id: number;
  duplicate: boolean;
}

/** Hands events of devices to the intake of signed nodes. What intake refuses of one does not cost it. */
export class DeviceIntake {
  readonly #options: DeviceIntakeOptions;

  constructor(options: DeviceIntakeOptions) {
    this.#options = options;
  }

  /** Events of one message, in their order. @throws what the stores throw */
  async storeAll(device: Device, events: readonly DeviceEvent[]): Promise<Stored[]> {
    const taken = await this.#options.events.take({ events }, actorOf(device)).catch(unlessRefused);
    const refused = new Set(taken?.answer.rejected.map(({ index }) => index) ?? events.keys());
    const items = [...(taken?.answer.items ?? [])];
    const stored: Stored[] = [];
    for (const [index, event] of events.entries()) {
      const item = refused.has(index) ? undefined : items.shift();
      stored.push(item ?? (await this.store(device, event)));
    }
    return stored;
  }

  /**
   * An alarm whose particulars intake does not take is stored without them, since few devices tell it again;
   * the refusal is shown with the device. @throws what the stores throw
   */
  async store(device: Device, event: DeviceEvent): Promise<Stored> {
    try {
      return storedIn(await this.#options.events.take(event, actorOf(device)));
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const state = this.#options.states.of(device.keyId);
      state.unreadable += 1;
      state.refuse('unreadable', error.message, this.#options.clock.now());
      this.#options.log.error(
        { err: error, device: device.keyId },
        'an alarm was stored without its particulars',
      );
      const { idempotency_key, occurred_at, severity } = event;
      const type = /^[a-z0-9_]+(\.[a-z0-9_]+)*$/.test(event.type) ? event.type : 'device.alarm';
      const bare = { idempotency_key, type, occurred_at, severity, payload: { refused: error.message } };
      return storedIn(await this.#options.events.take(bare, actorOf(device)));
    }
  }
}

const storedIn = ({ answer }: { answer: { items: Stored[] } }): Stored =>
  answer.items[0] ?? { id: 0, duplicate: true };

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status === 400;

function unlessRefused(error: unknown): null {
  if (isRefusal(error)) return null;
  throw error;
}
