import { faultsOf } from '../../../common/http/fault/room.ts';
import { sentences } from '../../../common/message.ts';

/** What is wrong with a rollout that is asked for. Each is read after the path of the member. */
export const rolloutFaultMessages = {
  one_target: sentences(
    'must have one of group, sites and all, and only one',
    '必须给出 group、sites、all 之一，且只能给出一个',
  ),
  wave_share: sentences(
    'must be a number of sites such as 1, or a share such as 5%',
    '必须是站点数（如 1）或比例（如 5%）',
  ),
  first_of_target: sentences(
    'must be sites of the rollout: not {sites}',
    '必须是本次升级中的站点，不能是 {sites}',
  ),
};

export const { fault, saying } = faultsOf(rolloutFaultMessages);
