import type { AgentPort } from '../agent/act/port.ts';
import type { AlarmNoticePort } from '../agent/alarm/port.ts';
import type { ChannelPort } from '../agent/channel/port.ts';
import type { AdminKeyPort } from './admin-key/port.ts';
import type { AlarmPort } from './alarm/port.ts';
import type { AuditPort } from './audit/port.ts';
import type { EventPort } from './event/port.ts';
import type { EvidenceJobPort, EvidencePort } from './evidence/port.ts';
import type { FeedbackPort } from './feedback/port.ts';
import type { IncidentPort } from './incident/port.ts';
import type { KeyPort } from './key/port.ts';
import type { LeftOutPort } from './left-out/port.ts';
import type { ModelCallPort } from './model-call/port.ts';
import type { NotificationPort } from './notification/port.ts';
import type { PushPort } from './push/port.ts';
import type { RetentionPort } from './retention/port.ts';
import type { RulePort } from './rule/port.ts';
import type { SecretPort } from './secret/port.ts';
import type { LoginAttemptPort, SessionPort } from './session/port.ts';
import type { StatsPort } from './stats/port.ts';
import type { SubscriptionPort } from './subscription/port.ts';
import type { TaskPort } from './task/port.ts';
import type { VerdictPort } from './verdict/port.ts';

/**
 * Everything the core needs of a store. Ports exchange plain data; each method
 * is one operation in one transaction, and a promise of a write resolves only
 * when the write is durable.
 */
export interface Stores {
  /**
   * UUID made when the store was created, or renewed when it was found to be an old copy (DESIGN.md, "Two
   * stores").
   */
  epoch(): string;
  /** Resolves when a row can be written and made durable; rejects with the reason otherwise. */
  probe(): Promise<void>;
  events: EventPort;
  verdicts: VerdictPort;
  subscriptions: SubscriptionPort;
  keys: KeyPort;
  adminKeys: AdminKeyPort;
  feedback: FeedbackPort;
  audit: AuditPort;
  alarms: AlarmPort;
  sessions: SessionPort;
  loginAttempts: LoginAttemptPort;
  push: PushPort;
  evidence: EvidencePort;
  evidenceJobs: EvidenceJobPort;
  tasks: TaskPort;
  agent: AgentPort;
  notifications: NotificationPort;
  channels: ChannelPort;
  alarmNotices: AlarmNoticePort;
  secrets: SecretPort;
  stats: StatsPort;
  incidents: IncidentPort;
  retention: RetentionPort;
  rules: RulePort;
  leftOut: LeftOutPort;
  modelCalls: ModelCallPort;
  close(): Promise<void>;
}
