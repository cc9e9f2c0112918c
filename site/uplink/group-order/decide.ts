// Orders of headquarters on incident groups of the site, by the rules of groups. Pure.
import type {
  ConfirmOutcome,
  IncidentCommand,
  IncidentRecord,
  MergeOutcome,
  SplitOutcome,
  UnmergeOutcome,
} from '../../../common/core/incident/record.ts';
import type { groupRefusalMessages } from '../../../common/core/incident/refusal-messages.ts';
import type { MessageOf } from '../../../common/message.ts';
import type { GroupOrderItem, OrderedGroup } from '../../../common/uplink/group-order.ts';
import { ACTOR } from '../order/decide.ts';

type GroupOutcome = ConfirmOutcome | SplitOutcome | MergeOutcome | UnmergeOutcome;

/** Why an order was not carried out. */
export type GroupOrderRefusal = MessageOf<typeof groupRefusalMessages>;

/** Every group that an order names. */
export const groupsOf = ({ group, body }: GroupOrderItem): OrderedGroup[] => [
  group,
  ...(body.kind === 'merge' ? body.others : []),
];

/** As the person at headquarters who ordered it, with the groups as that person saw them. */
export function commandOf(order: GroupOrderItem): IncidentCommand {
  const { group, tenant_code: tenantCode, by, body } = order;
  return {
    id: group.id,
    tenantCode,
    by,
    note: body.note,
    actor: ACTOR,
    seen: Object.fromEntries(groupsOf(order).map(({ id, revision }) => [id, revision])),
  };
}

/** Whether a group is the one that headquarters means: a store that was put back gives ids a second time. */
export const isMeant = (
  found: IncidentRecord | null,
  { created_at: createdAt }: OrderedGroup,
  tenantCode: string,
): found is IncidentRecord => found?.createdAt === createdAt && found.tenantCode === tenantCode;

/**
 * Whether what is ordered stands already: somebody at the site did the same, or the order was carried out and
 * the note of it was lost with a damaged store.
 * @param groups as the site has them, by id
 * @param holder the group that has all of the events that are to leave; null: there is none such
 */
export function standsAlready(
  { group, body }: GroupOrderItem,
  groups: ReadonlyMap<number, IncidentRecord>,
  holder: IncidentRecord | null,
): boolean {
  switch (body.kind) {
    case 'confirm':
      return groups.get(group.id)?.state === 'confirmed';
    case 'split':
      return holder?.splitFrom === group.id && holder.memberCount === body.event_keys.length;
    case 'merge':
      return body.others.every(({ id }) => groups.get(id)?.mergedInto === group.id);
    case 'unmerge':
      return groups.get(group.id)?.state !== 'closed';
  }
}

const REASONS = {
  closed: 'order_group_closed',
  changed: 'order_group_changed',
  not_found: 'order_no_group',
  not_members: 'order_not_members',
  every_member: 'order_every_member',
  not_mergeable: 'order_not_one_layer',
  not_merged: 'order_group_changed',
  members_gone: 'order_members_gone',
} as const;

/** null: it was carried out. */
export const reasonOf = ({ kind }: GroupOutcome): GroupOrderRefusal | null =>
  kind in REASONS ? { code: REASONS[kind as keyof typeof REASONS], params: {} } : null;
