import { faultsOf } from '../../common/http/fault/room.ts';
import { sentences } from '../../common/message.ts';

/** What is wrong with a site, or with a batch that it sends. Each is read after the path of the member. */
export const receiverFaultMessages = {
  one_of_site: sentences(
    'is required, or another member of a site',
    '与 display_name、continues、silent_after_minutes、away 至少给出其一',
  ),
  site_no_more: sentences(
    'must be names of sites that are no more, neither this site nor headquarters',
    '必须是已不存在的站点的名称，不能是本站点或总部',
  ),
  cursor_order: sentences('must not be less than {member}', '不能小于 {member}'),
  item_position: sentences(
    'must be the position of the item, a positive integer',
    '必须是该条目的位置，为正整数',
  ),
};

export const { fault, faultAt, saying } = faultsOf(receiverFaultMessages);
