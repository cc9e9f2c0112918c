import { SiteStats } from '../event-index/stats.ts';
import { SiteAdminKeys } from '../port/access/admin-key.ts';
import { SiteAgent } from '../port/agent/agent.ts';
import { SiteAlarms } from '../port/alarm.ts';
import { SiteAlarmNotices } from '../port/alarm-notice.ts';
import { SiteAudit } from '../port/audit.ts';
import { SiteChannels } from '../port/channel.ts';
import { SiteClockMarks } from '../port/clock-mark.ts';
import { SiteDevices } from '../port/device.ts';
import { SiteEvents } from '../port/event.ts';
import { SiteEvidence } from '../port/evidence.ts';
import { SiteEvidenceJobs } from '../port/evidence-job.ts';
import { SiteEvidenceWants } from '../port/uplink/evidence-want.ts';
import { SiteFeedback } from '../port/feedback.ts';
import { SiteHandover } from '../port/uplink/handover.ts';
import { SiteHistory } from '../port/history.ts';
import { SiteIncidents } from '../port/incident/incident.ts';
import { SiteKeys } from '../port/access/key.ts';
import { SiteLoginAttempts } from '../port/access/login-attempt.ts';
import { SiteNotifications } from '../port/notification.ts';
import { SiteOrders } from '../port/uplink/order.ts';
import { SitePush } from '../port/push.ts';
import { SiteRules } from '../port/rule.ts';
import { SiteSecrets } from '../port/access/secret.ts';
import { SiteSessions } from '../port/access/session.ts';
import { SiteSubscriptions } from '../port/subscription.ts';
import { SiteTasks } from '../port/task.ts';
import { SiteUplink } from '../port/uplink/uplink.ts';
import { SiteVerdicts } from '../port/verdict.ts';
import { numberWork, SiteWork } from '../port/uplink/work.ts';
import { EventDeletion } from '../retention/deletion.ts';
import { SiteEviction } from '../retention/eviction.ts';
import { SiteRetention } from '../retention/retention.ts';
import type { OpenOptions } from '../site-store.ts';
import type { Engine } from './engine.ts';

export type Ports = ReturnType<typeof createPorts>;

/** The ports of the store, each made from those above it. */
export function createPorts(engine: Engine, { clock, offerEvidenceFrom = null }: OpenOptions) {
  const { group, orm, meta, eventIndex } = engine;
  const monotonic = (): number => clock.monotonic();
  const newId = (): string => clock.newId();
  const audit = new SiteAudit(group, orm, monotonic);
  const events = new SiteEvents(group, meta, engine.keyIndex, eventIndex, engine.eventIds);
  const subscriptions = new SiteSubscriptions(group, orm, events, audit, newId);
  numberWork(group.sqlite, meta);
  const work = new SiteWork(group, orm, meta, events);
  const verdicts = new SiteVerdicts(group, events, work, engine.changeNumbers);
  const tasks = new SiteTasks(group, orm, events, audit, work);
  const notifications = new SiteNotifications(group, orm, meta);
  const channels = new SiteChannels(group, orm, audit);
  const uplink = new SiteUplink(group, orm, events, verdicts, work, audit, newId);
  const deletion = new EventDeletion(meta, engine.keyIndex.forgotten, eventIndex);
  const retention = new SiteRetention(group, meta, deletion, uplink, subscriptions, audit);
  const evidence = new SiteEvidence(group, orm, audit, offerEvidenceFrom);
  evidence.offerAgain(meta);
  const evidenceJobs = new SiteEvidenceJobs(group, orm);
  return {
    audit,
    events,
    verdicts,
    subscriptions,
    tasks,
    notifications,
    channels,
    alarmNotices: new SiteAlarmNotices(group, orm, notifications),
    uplink,
    work,
    orders: new SiteOrders(group, orm, tasks, work),
    retention,
    eviction: new SiteEviction(group, deletion, eventIndex, retention, uplink, subscriptions, audit),
    eventIndex,
    stats: new SiteStats(group.sqlite, eventIndex, monotonic),
    agent: new SiteAgent(group, orm, events, tasks, channels, notifications),
    incidents: new SiteIncidents(group, orm, events, audit, work),
    ...createAccess(engine, audit, newId),
    rules: new SiteRules(group, orm, audit),
    push: new SitePush(group, orm, audit),
    evidence,
    evidenceJobs,
    handover: new SiteHandover(group, orm, { events, tasks, channels }, notifications),
    evidenceWants: new SiteEvidenceWants(group, evidenceJobs),
    feedback: new SiteFeedback(group, orm, work),
    alarms: new SiteAlarms(group, orm),
    history: new SiteHistory(group, meta, events),
    clockMarks: new SiteClockMarks(group),
  };
}

/** Who may call, and with what. */
function createAccess({ group, orm }: Engine, audit: SiteAudit, newId: () => string) {
  return {
    keys: new SiteKeys(group, orm, audit, newId),
    adminKeys: new SiteAdminKeys(group, orm, audit, newId),
    sessions: new SiteSessions(group, orm, audit, newId),
    secrets: new SiteSecrets(group, orm, audit),
    loginAttempts: new SiteLoginAttempts(group, orm),
    devices: new SiteDevices(group, orm, audit),
  };
}
