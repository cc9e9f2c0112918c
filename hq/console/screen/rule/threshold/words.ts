import { catalogue } from '../../../word/catalogue.ts';

export const thresholdWords = catalogue({
  title: { zh: '阈值', en: 'Thresholds' },
  judge_min_conf: { zh: '机器研判的最低置信度', en: 'Least confidence of a judgement' },
  traj_min_link: { zh: '轨迹关联的最低得分', en: 'Least score that links a track' },
  traj_link_gap_s: { zh: '轨迹关联的最长间隔', en: 'Longest gap within a track' },
  traj_same_cam_gap_s: { zh: '同一摄像机的最长间隔', en: 'Longest gap at one camera' },
  escalate_grace_s: { zh: '超时后多久升级（负数：不升级）', en: 'Grace before escalation (below 0: none)' },
  about_judge_min_conf: {
    zh: '低于它的事件由人复核，不通知',
    en: 'Below it a person reviews the event, and nobody is told',
  },
  about_traj_min_link: { zh: '低于它的告警不归为一组', en: 'Below it alerts are not one group' },
  about_traj_link_gap_s: {
    zh: '不同摄像机的告警在此间隔内可归为一组',
    en: 'Alerts of several cameras within it may be one group',
  },
  about_traj_same_cam_gap_s: {
    zh: '同一摄像机的告警在此间隔内可归为一组',
    en: 'Alerts of one camera within it may be one group',
  },
  about_escalate_grace_s: {
    zh: '任务到时限后再等这么久才升级',
    en: 'How long after its deadline a task is escalated',
  },
  seconds: { zh: '秒', en: 's' },
  formHint: {
    zh: '{minimum} 至 {maximum}；现为 {value}；留空不变',
    en: '{minimum} to {maximum}; now {value}; empty: as it is',
  },
  name: { zh: '阈值', en: 'Threshold' },
  value: { zh: '现在', en: 'Now' },
  range: { zh: '范围', en: 'Range' },
  standard: { zh: '默认', en: 'Standard' },
  source: { zh: '来源', en: 'Source' },
  registered: { zh: '已登记', en: 'Registered' },
  builtin: { zh: '默认值', en: 'Standard' },
  change: { zh: '修改阈值', en: 'Change them' },
  tenant: { zh: '租户', en: 'Tenant' },
  whose: { zh: '请输入租户', en: 'Name the tenant' },
  version: { zh: '登记的第 {version} 版', en: 'Version {version} of what is registered' },
  none: { zh: '尚未登记，全部为默认值', en: 'Nothing is registered: the standard counts' },
});
