import { faultsOf } from '../../http/fault/room.ts';
import { sentences } from '../../message.ts';

/** What is wrong with groups of events. Each is read after the path of the member. */
export const incidentFaultMessages = {
  group_itself: sentences('incident {id} is the group to merge into', '事件组 {id} 就是要并入的组'),
  group_tenant: sentences('incident {id} is of another tenant', '事件组 {id} 属于其他租户'),
  group_layer: sentences('incident {id} is of another layer', '事件组 {id} 属于其他层级'),
  group_no_member: sentences('event {id} is not a member of this group', '事件 {id} 不在该组中'),
  group_no_event: sentences(
    'event {id} does not exist or is not of this tenant',
    '事件 {id} 不存在，或不属于本租户',
  ),
  group_layer_other: sentences(
    'must be {layer}, the layer of the group with this source_key',
    '必须是 {layer}，即此 source_key 的组所在的层级',
  ),
  group_emptied: sentences('must leave at least one member in the group', '组中至少要留一个成员'),
};

export const { fault, faultAt } = faultsOf(incidentFaultMessages);
