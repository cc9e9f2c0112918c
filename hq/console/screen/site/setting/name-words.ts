import { catalogue } from '../../../word/catalogue.ts';
import type { SettingName } from './queries.ts';

/** What each setting is, in a few words. */
export const nameWords = catalogue({
  CORE_LOG_LEVEL: { zh: '日志级别', en: 'Level of the log' },
  CORE_UPLINK_EVIDENCE_KBPS: { zh: '证据上传限速', en: 'Rate of evidence on the link' },
  CORE_EVIDENCE_LIMIT: { zh: '证据文件总量上限', en: 'Room for evidence' },
  CORE_EVIDENCE_TENANT_PERCENT: { zh: '单个租户的证据占比上限', en: 'Share of it for one tenant' },
  CORE_CAMERA_SILENT_HOURS: { zh: '摄像机视为沉默的时间', en: 'A camera counts as silent after' },
  CORE_BACKUP_ALARM_DAYS: { zh: '备份视为过旧的时间', en: 'A backup counts as old after' },
  CORE_RETENTION_EVENTS_DAYS: { zh: '事件保留时间', en: 'Events are kept' },
  CORE_RETENTION_AUDIT_DAYS: { zh: '审计记录保留时间', en: 'The audit is kept' },
  CORE_RETENTION_ALARMS_DAYS: { zh: '已解除告警保留时间', en: 'Cleared alarms are kept' },
  AGENT_LLM_TIMEOUT_MS: { zh: '等待语言模型的最长时间', en: 'Longest wait for the language model' },
  AGENT_LLM_CALLS_PER_DAY: { zh: '每租户每天调用语言模型上限', en: 'Model calls for a tenant a day' },
  AGENT_LLM_CALLS_PER_HOUR: { zh: '每条规则每小时调用语言模型上限', en: 'Model calls for a rule an hour' },
} satisfies Record<SettingName, { zh: string; en: string }>);

/** What stands under its field. */
export const hintWords = catalogue({
  CORE_LOG_LEVEL: {
    zh: '只记录不低于此级别的日志；查问题时可临时调低',
    en: 'Only lines of this level or graver are written; lower it while looking for a fault',
  },
  CORE_UPLINK_EVIDENCE_KBPS: {
    zh: '0 表示不限速；有事件待传时证据本就让路',
    en: '0: no cap; evidence gives way to events in any case',
  },
  CORE_EVIDENCE_LIMIT: {
    zh: '达到上限后不再收新的证据文件，事件不受影响',
    en: 'When it is reached no more files are taken; events are not touched',
  },
  CORE_EVIDENCE_TENANT_PERCENT: { zh: '0 表示各租户平分', en: '0: an even part for each tenant' },
  CORE_CAMERA_SILENT_HOURS: {
    zh: '这么久没有事件的摄像机视为沉默',
    en: 'Without an event for so long a camera counts as silent',
  },
  CORE_BACKUP_ALARM_DAYS: { zh: '超过则告警；0 表示不告警', en: 'Then an alarm is raised; 0: none is' },
  CORE_RETENTION_EVENTS_DAYS: {
    zh: '到期的事件连同判定和证据一起删除，无法恢复；改动确认生效之前不会提前删除',
    en: 'Older events go with their verdicts and files, for good; nothing goes sooner before it is confirmed',
  },
  CORE_RETENTION_AUDIT_DAYS: { zh: '到期删除，无法恢复', en: 'Older entries are deleted for good' },
  CORE_RETENTION_ALARMS_DAYS: { zh: '到期删除，无法恢复', en: 'Older ones are deleted for good' },
  AGENT_LLM_TIMEOUT_MS: { zh: '超时后任务没有摘要', en: 'Then the task has no summary' },
  AGENT_LLM_CALLS_PER_DAY: { zh: '达到后当天的任务没有摘要', en: 'Then tasks of that day have no summary' },
  AGENT_LLM_CALLS_PER_HOUR: { zh: '达到后该规则的任务没有摘要', en: 'Then its tasks have no summary' },
} satisfies Record<SettingName, { zh: string; en: string }>);
