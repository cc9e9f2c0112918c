import type { EventMark } from '../../../common/core/retention/record.ts';
import type { Meta } from '../engine/meta.ts';
import type { EventIndex } from '../event-index/event-index.ts';
import type { ForgottenKeys } from '../key-index/key-index.ts';

export interface DeletedEvent extends EventMark {
  tenantCode: string;
  idempotencyKey: string;
}

/** What stays known of deleted events: their keys, the counts of the index, and where ids and times go on. */
export class EventDeletion {
  #meta: Meta;
  #forgotten: ForgottenKeys;
  #index: EventIndex;

  constructor(meta: Meta, forgotten: ForgottenKeys, index: EventIndex) {
    this.#meta = meta;
    this.#forgotten = forgotten;
    this.#index = index;
  }

  /** To be called in the transaction that deletes the events. @param events ascending by id */
  note(events: readonly DeletedEvent[]): void {
    for (const { id, tenantCode, idempotencyKey } of events)
      this.#forgotten.add(id, tenantCode, idempotencyKey);
    this.#index.forget(events.map(({ id }) => id));
    const newest = events.at(-1);
    if (newest === undefined) return;
    const { id, receivedAt } = newest;
    if (id > this.#meta.number('last_event_id')) this.#meta.set('last_event_id', id);
    if (receivedAt > this.#meta.number('last_received_at')) this.#meta.set('last_received_at', receivedAt);
  }

  /** Ids of deleted events after this one, ascending. */
  deletedAfter(id: number, limit: number): number[] {
    return this.#forgotten.after(id, limit);
  }
}
