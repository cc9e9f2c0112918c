// What the API says of settings of sites: a new member or code is an edit here alone.
import type { ErrorTexts } from '../../../common/http/fault/error-texts.ts';
import type { FieldTexts } from '../../../common/http/openapi/field-texts.ts';

/** What the members of request bodies mean. */
export const settingsFields: FieldTexts = {
  'SiteSettingsChange.values': ['What is set, by its name; null: left to the program', {}],
  'SiteSettingsChange.expected_version': ['The version that was seen; another one is answered with 409', 3],
  'GroupSettingsChange.group': ['The group, all of whose sites get it', 'North'],
  'GroupSettingsChange.values': ['What is set, by its name; null: left to the program', {}],
  CORE_LOG_LEVEL: 'The least grave lines that the site logs',
  CORE_UPLINK_EVIDENCE_KBPS: ['Kilobits a second that evidence may take of the link; 0: no cap', 512],
  CORE_EVIDENCE_LIMIT: ['Bytes of evidence files that the site keeps', 10_737_418_240],
  CORE_EVIDENCE_TENANT_PERCENT: ['Percent of them that one tenant may take; 0: an even part', 0],
  CORE_CAMERA_SILENT_HOURS: ['Hours without an event after which a camera counts as silent', 24],
  CORE_BACKUP_ALARM_DAYS: ['Days after which the last backup is too old; 0: nobody is told', 8],
  CORE_RETENTION_EVENTS_DAYS: ['Days that events are kept; without it for ever', 365],
  CORE_RETENTION_AUDIT_DAYS: ['Days that entries of the audit are kept; without it for ever', 365],
  CORE_RETENTION_ALARMS_DAYS: ['Days that cleared alarms are kept; without it for ever', 365],
  AGENT_LLM_TIMEOUT_MS: ['Longest wait for the language model, ms', 20_000],
  AGENT_LLM_CALLS_PER_DAY: ['Calls to the language model for a tenant a day', 2_000],
  AGENT_LLM_CALLS_PER_HOUR: ['Calls to it for one rule within an hour', 120],
};

/** What the codes of errors mean. */
export const settingsErrors: ErrorTexts = {
  settings_changed: '设置已被他人修改，请刷新后重试。',
};
