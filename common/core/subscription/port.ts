import type { Severity } from '../event/schema.ts';

export interface SubscriptionFilters {
  /** null: every tenant. */
  tenantCode: string | null;
  /** null: every type. */
  eventTypes: string[] | null;
  minSeverity: Severity | null;
  pushUrl: string | null;
  secretRef: string | null;
  enabled: boolean;
}

export interface SubscriptionRecord extends SubscriptionFilters {
  consumer: string;
  /** Event id up to which the consumer has confirmed. */
  cursor: number;
  /** Event id up to which push has been answered; apart from `cursor` (spec 2, "Optional push"). */
  pushCursor: number;
  createdAt: number;
  updatedAt: number;
}

export type AckOutcome =
  | { kind: 'acked'; cursor: number; moved: boolean }
  | { kind: 'no_subscription' }
  /** Beyond the newest event of the store. */
  | { kind: 'ahead'; head: number };

export interface SubscriptionPort {
  /**
   * Registers a consumer, or changes the filters that are given and leaves the others. `start` counts only on
   * the first registration: null means the newest event of that moment. A repeated registration never moves a
   * cursor; one that changes anything ends a waiting backoff of the pushes and voids a push under way.
   * Audited as `subscription.registered` or `subscription.changed` on `subscription:<consumer>`, with the
   * records before and after.
   */
  register(
    consumer: string,
    given: Partial<SubscriptionFilters>,
    start: number | null,
    now: number,
    actor: string,
  ): Promise<{ subscription: SubscriptionRecord; created: boolean }>;
  /** As a repeated registration; null when there is no such consumer. */
  change(
    consumer: string,
    given: Partial<SubscriptionFilters>,
    now: number,
    actor: string,
  ): Promise<SubscriptionRecord | null>;
  /**
   * Forgets the consumer with its cursors; a push under way is void. Audited as `subscription.removed`. False
   * when there is none.
   */
  remove(consumer: string, now: number, actor: string): Promise<boolean>;
  get(consumer: string): Promise<SubscriptionRecord | null>;
  list(): Promise<SubscriptionRecord[]>;
  /**
   * Moves the cursor up, never down.
   * @param by a person or a holder of an admin key, in the consumer's place: a move is then audited as
   *   `subscription.acknowledged`, with the cursors before and after
   */
  ack(consumer: string, cursor: number, now: number, by?: string): Promise<AckOutcome>;
}
