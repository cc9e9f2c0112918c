import { sentences } from '../../message.ts';

/** Why a site did not carry out what headquarters ordered on an incident group of it. */
export const groupRefusalMessages = {
  order_no_group: sentences('the site has no such group', '站点没有该归并组'),
  order_group_changed: sentences(
    'somebody at the site decided on the group meanwhile',
    '站点已有人先更改了该归并组',
  ),
  order_group_closed: sentences(
    'the group was merged away at the site meanwhile',
    '该归并组在站点已先并入他组',
  ),
  order_not_members: sentences(
    'events that were to be split off are not in the group there any more',
    '要拆分的事件在站点已不在该归并组中',
  ),
  order_every_member: sentences(
    'nothing would be left in the group there',
    '照此执行，站点的该归并组将没有事件',
  ),
  order_not_one_layer: sentences(
    'the groups are of different layers or tenants there',
    '这些归并组在站点分属不同层级或租户',
  ),
  order_members_gone: sentences(
    'some of its events were cleared or split off since at the site; it cannot come back',
    '其事件此后在站点已清除或拆分，无法恢复',
  ),
};
