import type { GroupOrderKind } from '../../../common/core/incident/schema.ts';
import type { OrderKind } from '../../../common/core/task/schema.ts';
import type { Message } from '../../../common/message.ts';

/** An order that its site does not carry out, or of which it is not known whether it does. */
export type RefusedOrder = (
  { kind: OrderKind; taskId: number; eventId: number | null } | { kind: GroupOrderKind; incidentId: number }
) & {
  /** The site's answer cannot be read; `reason` says what is wrong with it. */
  unclear: boolean;
  orderId: string;
  tenantCode: string;
  /** Who gave it. */
  by: string;
  reason: string;
  /** The same as a message; null: the site is from before it. */
  told: Message | null;
};
