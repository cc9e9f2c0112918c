import { sentences } from '../../../common/message.ts';

/** Why a rollout has paused itself. */
const reasons = {
  rollout_failing: sentences(
    '{failed} {failed|site|sites} failed in wave {wave}, where at most {may} may: {sites}',
    '第 {wave} 批有 {failed} 个站点失败（最多允许 {may} 个）：{sites}',
  ),
};

export const rolloutMessages = {
  ...reasons,
  rollout_paused: sentences(
    [
      'The rollout of {version} has paused by itself: {reason}. No further site is told to upgrade. Look at ',
      'what these sites say, then let it go on, leave them out or abort it (fieldline-hq rollout show {id}).',
    ],
    [
      '版本 {version} 的分批升级已自动暂停：{reason}。不再通知其他站点升级。',
      '请查看这些站点给出的原因，然后继续、排除这些站点或中止（fieldline-hq rollout show {id}）。',
    ],
  ),
};
