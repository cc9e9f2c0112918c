import { SiteAdminKeys } from '../adapter/access/admin-key.ts';
import { SiteKeys } from '../adapter/access/key.ts';
import { SiteLoginAttempts } from '../adapter/access/login-attempt.ts';
import { SiteSecrets } from '../adapter/access/secret.ts';
import { SiteSessions } from '../adapter/access/session.ts';
import { SiteAgent } from '../adapter/agent/agent.ts';
import { SiteAlarms } from '../adapter/alarm.ts';
import { SiteAlarmNotices } from '../adapter/alarm-notice.ts';
import { SiteAudit } from '../adapter/audit.ts';
import { SiteChannels } from '../adapter/channel.ts';
import { SiteClockMarks } from '../adapter/clock-mark.ts';
import { SiteDevices } from '../adapter/device.ts';
import { SiteEvents } from '../adapter/event.ts';
import { type GoesUp, SiteEvidence } from '../adapter/evidence.ts';
import { SiteEvidenceJobs } from '../adapter/evidence-job.ts';
import { SiteFeedback } from '../adapter/feedback.ts';
import { SiteHistory } from '../adapter/history.ts';
import { SiteIncidents } from '../adapter/incident/incident.ts';
import { SiteLeftOut } from '../adapter/left-out.ts';
import { SiteLibraries } from '../adapter/library/libraries.ts';
import { LibrarySource } from '../adapter/library/source.ts';
import { SiteModelCalls } from '../adapter/model-call.ts';
import { SiteNotifications } from '../adapter/notification.ts';
import { SitePush } from '../adapter/push.ts';
import { SiteRules } from '../adapter/rule.ts';
import { SiteSubscriptions } from '../adapter/subscription.ts';
import { SiteTasks } from '../adapter/task.ts';
import { SiteCare } from '../adapter/uplink/care.ts';
import { ChangeLog, fillChangeLog } from '../adapter/uplink/change-log.ts';
import { SiteEvidenceWants } from '../adapter/uplink/evidence-want.ts';
import { SiteGroupOrders } from '../adapter/uplink/group-order.ts';
import { SiteHandover } from '../adapter/uplink/handover.ts';
import { SiteInbox } from '../adapter/uplink/inbox.ts';
import { SiteOrders } from '../adapter/uplink/order.ts';
import { SiteSettings } from '../adapter/uplink/settings.ts';
import { SiteUpgrade } from '../adapter/uplink/upgrade.ts';
import { SiteUplink } from '../adapter/uplink/uplink.ts';
import { SiteVerdicts } from '../adapter/verdict.ts';
import { SiteStats } from '../event-index/stats.ts';
import { EventDeletion } from '../retention/deletion.ts';
import { SiteEviction } from '../retention/eviction.ts';
import { SiteRetention } from '../retention/retention.ts';
import type { OpenOptions } from '../site-store.ts';
import type { Engine } from './engine.ts';

export type Ports = ReturnType<typeof createPorts>;

/** The ports of the store, each made from those above it. */
export function createPorts(engine: Engine, options: OpenOptions) {
  const { group, orm, meta, eventIndex } = engine;
  const { monotonic, newId } = clockOf(options);
  const audit = new SiteAudit(group, orm, monotonic);
  const events = new SiteEvents(group, meta, engine.keyIndex, eventIndex, engine.eventIds);
  const subscriptions = new SiteSubscriptions(group, orm, events, audit, newId);
  fillChangeLog(group.sqlite, meta);
  const changes = new ChangeLog(group, orm, meta, events);
  const tasks = new SiteTasks(group, orm, events, audit, changes);
  const verdicts = new SiteVerdicts(group, events, changes, tasks, engine.changeNumbers);
  const notifications = new SiteNotifications(group, orm, meta);
  const channels = new SiteChannels(group, orm, audit);
  const uplink = new SiteUplink(group, orm, events, changes, audit, newId);
  const deletion = new EventDeletion(meta, engine.keyIndex.forgotten, eventIndex);
  const retention = new SiteRetention(group, meta, deletion, uplink, subscriptions, audit);
  const evidence = new SiteEvidence(group, orm, audit, goesUp(options));
  evidence.offerAgain(meta);
  const incidents = new SiteIncidents(group, orm, events, audit, changes);
  const evidenceJobs = new SiteEvidenceJobs(group, orm);
  return {
    audit,
    events,
    verdicts,
    subscriptions,
    tasks,
    notifications,
    channels,
    uplink,
    changes,
    ...createInbox(engine, { tasks, incidents, changes, audit }),
    retention,
    eviction: new SiteEviction(group, deletion, eventIndex, retention, uplink, subscriptions, audit),
    eventIndex,
    stats: new SiteStats(group.sqlite, eventIndex, monotonic),
    agent: new SiteAgent(group, orm, events, tasks, channels, notifications),
    incidents,
    ...createAccess(engine, audit, newId),
    rules: new SiteRules(group, orm, audit),
    push: new SitePush(group, orm, audit),
    evidence,
    evidenceJobs,
    handover: new SiteHandover(group, orm, { events, tasks, channels }, notifications),
    evidenceWants: new SiteEvidenceWants(group, evidenceJobs),
    feedback: new SiteFeedback(group, orm, changes),
    ...createTold(engine, notifications),
    history: new SiteHistory(group, meta, events),
    clockMarks: new SiteClockMarks(group),
    ...createLibraries(engine, changes),
  };
}

const clockOf = ({ clock }: OpenOptions) => ({
  monotonic: (): number => clock.monotonic(),
  newId: (): string => clock.newId(),
});

const goesUp = ({ offerEvidenceFrom: from = null, previews = false }: OpenOptions): GoesUp => ({
  from,
  previews,
});

interface InboxGround {
  tasks: SiteTasks;
  incidents: SiteIncidents;
  changes: ChangeLog;
  audit: SiteAudit;
}

/** What headquarters has for the site. */
function createInbox({ group, orm, meta }: Engine, { tasks, incidents, changes, audit }: InboxGround) {
  const orders = new SiteOrders(group, orm, tasks, changes);
  return {
    inbox: new SiteInbox(group),
    orders,
    groupOrders: new SiteGroupOrders(group, orm, incidents, orders),
    settings: new SiteSettings(group, meta, audit, changes),
    upgrade: new SiteUpgrade(group, meta, audit, changes),
    care: new SiteCare(group, orm, audit, changes),
  };
}

/** The policies in force. */
const createLibraries = ({ group, meta }: Engine, changes: ChangeLog) => ({
  libraries: new SiteLibraries(group, meta, changes),
  librarySource: new LibrarySource(group.sqlite, meta, () => meta.text('epoch') ?? ''),
});

/** What people are told of. */
function createTold({ group, orm }: Engine, notifications: SiteNotifications) {
  return {
    alarms: new SiteAlarms(group, orm),
    alarmNotices: new SiteAlarmNotices(group, orm, notifications),
    leftOut: new SiteLeftOut(group, orm),
    modelCalls: new SiteModelCalls(group, orm),
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
