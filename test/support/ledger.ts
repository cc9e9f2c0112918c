// What the cameras were told, kept beside the system under test, to be held against what it later shows.
import { type Answer, expectStatus, jsonOf } from './request.ts';

export interface SeenEvent {
  id: number;
  idempotencyKey: string;
  tenantCode: string;
  originId: number;
  instance: string;
  verdict: string | null;
  correctedTo: string | null;
}

/** Keys that cameras posted and were told are stored, with their ids; and everything odd on the way. */
export class Ledger {
  /** Idempotency key to id at the site. */
  readonly told = new Map<string, number>();
  readonly keyOf = new Map<number, string>();
  readonly posted = new Set<string>();
  /** Keys of each camera in the order in which it posted them. */
  readonly orderOf = new Map<string, string[]>();
  readonly oddities: string[] = [];

  willPost(camera: string, keys: readonly string[]): void {
    const order = this.orderOf.get(camera) ?? [];
    this.orderOf.set(camera, order);
    for (const key of keys) {
      this.posted.add(key);
      order.push(key);
    }
  }

  wasTold(key: string, id: number): void {
    const before = this.told.get(key);
    const holder = this.keyOf.get(id);
    if (before !== undefined && before !== id) this.oddities.push(`${key} was told ${before}, then ${id}`);
    if (holder !== undefined && holder !== key)
      this.oddities.push(`id ${id} was given to ${holder}, then to ${key}`);
    this.told.set(key, id);
    this.keyOf.set(id, key);
  }

  /** Server errors other than "come again later" and "the disk is full". */
  sawStatus(where: string, status: number, text: string): void {
    if (status >= 500 && status !== 503 && status !== 507)
      this.oddities.push(`${where} answered ${status}: ${text.slice(0, 300)}`);
  }

  /** Faults of a full listing of one store in its id order: lost, doubled, unknown and reordered events. */
  faultsOf(events: readonly SeenEvent[]): string[] {
    const faults: string[] = [];
    const position = new Map<string, number>();
    events.forEach((event, index) => {
      if (position.has(event.idempotencyKey)) faults.push(`${event.idempotencyKey} is there twice`);
      if (!this.posted.has(event.idempotencyKey)) faults.push(`${event.idempotencyKey} was never posted`);
      position.set(event.idempotencyKey, index);
    });
    for (const [key, id] of this.told) {
      const at = position.get(key);
      if (at === undefined) faults.push(`${key}, told ${id}, is lost`);
      else if (events[at]?.originId !== id)
        faults.push(`${key} was told ${id} and is shown as ${events[at]?.originId}`);
    }
    for (const [camera, keys] of this.orderOf) {
      const places = keys.flatMap((key) => position.get(key) ?? []);
      if (places.some((place, index) => index > 0 && place < (places[index - 1] as number)))
        faults.push(`the order of ${camera} is not kept`);
    }
    return faults;
  }
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>;

export interface Batch {
  items: SeenEvent[];
  nextCursor: number;
  hasMore: boolean;
  epoch: string;
}

/** A consumer that pulls and acknowledges, and checks each batch against what it confirmed before. */
export class Consumer {
  readonly name: string;
  /** What was confirmed, in the order in which it came. */
  readonly seen: SeenEvent[] = [];
  readonly oddities: string[] = [];
  confirmed = 0;
  epoch: string | null = null;
  #call: Call;
  #keys = new Set<string>();

  constructor(name: string, call: Call) {
    this.name = name;
    this.#call = call;
  }

  async register(start = 0): Promise<void> {
    const answer = await this.#call('POST', '/api/core/events/subscribe', {
      consumer: this.name,
      start_cursor: start,
    });
    expectStatus(answer, 200, 201);
    this.confirmed = jsonOf<{ cursor: number }>(answer).cursor;
  }

  /** One batch, pulled and confirmed. @throws when either is not answered well */
  async round(limit = 1000): Promise<Batch> {
    const batch = await this.pull(limit);
    await this.confirm(batch);
    return batch;
  }

  async pull(limit = 1000): Promise<Batch> {
    const batch = jsonOf<Batch>(
      expectStatus(
        await this.#call(
          'GET',
          `/api/core/events/since?consumer=${this.name}&limit=${limit}&include_test=true`,
        ),
        200,
      ),
    );
    let last = this.confirmed;
    for (const event of batch.items) {
      if (event.id <= last) this.oddities.push(`event ${event.id} came after ${last}`);
      if (this.#keys.has(event.idempotencyKey))
        this.oddities.push(`${event.idempotencyKey} came again after it was confirmed`);
      last = event.id;
    }
    if (batch.nextCursor < last) this.oddities.push(`nextCursor ${batch.nextCursor} is before ${last}`);
    return batch;
  }

  async confirm(batch: Batch): Promise<void> {
    if (batch.nextCursor === this.confirmed) return;
    const answer = await this.#call('POST', '/api/core/events/ack', {
      consumer: this.name,
      cursor: batch.nextCursor,
      epoch: batch.epoch,
    });
    const { cursor } = jsonOf<{ cursor: number }>(expectStatus(answer, 200));
    if (cursor !== batch.nextCursor)
      this.oddities.push(`the cursor stands at ${cursor} after ${batch.nextCursor} was confirmed`);
    this.confirmed = batch.nextCursor;
    this.epoch = batch.epoch;
    for (const event of batch.items) {
      this.seen.push(event);
      this.#keys.add(event.idempotencyKey);
    }
  }

  sees(key: string): boolean {
    return this.#keys.has(key);
  }
}

/** Every event of a store by the operator's list, oldest first: with the verdicts as they stand now. */
export async function listAll(call: Call): Promise<SeenEvent[]> {
  const all: SeenEvent[] = [];
  let cursor: string | null = null;
  do {
    const page: Answer = await call(
      'GET',
      `/api/core/events/list?limit=1000&include_test=true${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    const { items, nextCursor } = jsonOf<{ items: SeenEvent[]; nextCursor: string | null }>(
      expectStatus(page, 200),
    );
    all.push(...items);
    cursor = nextCursor;
  } while (cursor !== null);
  return all.reverse();
}
