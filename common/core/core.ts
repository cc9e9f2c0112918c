import type { Clock } from '../clock.ts';
import type { NetworkList, Networks } from '../http/address.ts';
import type { CreateHttpClient } from '../http/client.ts';
import type { Route } from '../http/route.ts';
import { isSecure } from '../http/transport.ts';
import type { Logger } from '../log.ts';
import type { Catalogue } from '../message.ts';
import type { Metric } from '../metrics.ts';
import type { SealedVault, SecretSources, SecretVault } from '../secret.ts';
import { AdminKeyRefusals } from './admin-key/refusals.ts';
import { adminKeyRoutes } from './admin-key/routes.ts';
import type { AdminKeyService } from './admin-key/service.ts';
import { alarmRoutes } from './alarm/routes.ts';
import { auditRoutes } from './audit/routes.ts';
import { eventRoutes } from './event/routes.ts';
import { EventService } from './event/service.ts';
import { Watermark } from './event/watermark.ts';
import { FeedbackSender } from './feedback/sender.ts';
import { incidentRetentionHook } from './incident/retention-hook.ts';
import { incidentRoutes } from './incident/routes.ts';
import { IncidentService } from './incident/service.ts';
import { consumerKeyRoutes } from './key/consumer-routes.ts';
import { keyRoutes } from './key/routes.ts';
import { KeyService } from './key/service.ts';
import { notificationRoutes } from './notification/routes.ts';
import { createConsumerDelivery, type ConsumerDelivery } from './consumer-delivery.ts';
import type { FileSteps } from './evidence/files.ts';
import type { SecretResolver } from './secret/resolver.ts';
import { secretRoutes } from './secret/routes.ts';
import { SecretService } from './secret/service.ts';
import type { LoginMethod } from './session/login.ts';
import { sessionRoutes } from './session/routes.ts';
import { SessionService } from './session/service.ts';
import { adminKeyMetrics, coreMetrics, sessionMetrics, taskMetrics } from './metrics.ts';
import { noKnowledgeCounts, type KnowledgeCounts } from './stats/port.ts';
import { statsRoutes } from './stats/routes.ts';
import { StatsService } from './stats/service.ts';
import type { RetentionHook } from './retention/port.ts';
import type { RetentionLimits } from './retention/record.ts';
import { retentionMetrics, retentionRoutes } from './retention/routes.ts';
import { RetentionService } from './retention/service.ts';
import { ruleRoutes } from './rule/routes.ts';
import { RuleService } from './rule/service.ts';
import type { Stores } from './stores.ts';
import { subscriptionRoutes } from './subscription/routes.ts';
import { SubscriptionService } from './subscription/service.ts';
import { taskRoutes } from './task/routes.ts';
import { TaskService } from './task/service.ts';
import {
  noTimelineDecisions,
  noTimelineKnowledge,
  type TimelineDecisions,
  type TimelineKnowledge,
  type TimelineNotifications,
} from './timeline/port.ts';
import { timelineRoutes } from './timeline/routes.ts';
import { TimelineService } from './timeline/service.ts';
import { verdictRoutes } from './verdict/routes.ts';
import { VerdictService } from './verdict/service.ts';

export interface CoreOptions {
  stores: Stores;
  clock: Clock;
  log: Logger;
  /** Name of this instance, shown with events that arose here. */
  instance: string;
  vault: SecretVault;
  secrets: SecretSources;
  /** Opens what the API names. */
  secretResolver: SecretResolver;
  createClient: CreateHttpClient;
  /** Seals what is kept only for a while; `secrets` opens it. */
  sealing: SealedVault;
  /** Where feedback to cameras may go. */
  feedbackNetworks: Networks;
  /** Where pushes to consumers, and the evidence that they ask for, may go. */
  pushNetworks: Networks;
  /** Evidence files lie under it. */
  dataDir: string;
  /** Bytes of evidence files at most. */
  evidenceLimit: number;
  retention: RetentionLimits;
  /** Those who keep something of events beyond the core's own. */
  retentionHooks: readonly RetentionHook[];
  /** What a timeline shows of notifications. */
  notifications: TimelineNotifications;
  /** Whether retention leaves what an uplink has not sent yet. */
  holdUnsent: boolean;
  fileSteps?: FileSteps | undefined;
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  keyCacheMs: number;
  adminKeys: AdminKeyService;
  /** Whether the wall clock cannot be right now. */
  clockSuspect?: () => boolean;
  /** How people log in here. */
  login: LoginMethod;
  /** Seals the marks of browsers that a user is known by. */
  deviceSecret: Buffer;
  /** Whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed. */
  trustedProxies: NetworkList;
  /** Knowledge objects, where the program keeps them. */
  knowledge?: TimelineKnowledge & KnowledgeCounts;
  /** What was decided here on events of sites, where sites call. */
  decisions?: TimelineDecisions;
  onStored?: () => void;
  onChange?: () => void;
  /** The consumer that this program is itself, whose name nobody else may take; null where it is none. */
  ownConsumer: string | null;
  /** Called when a rule was registered, before the answer. */
  onRule?: () => Promise<void>;
  /** Tenants of a site that reads its rules here; null where no sites call. */
  tenantsOfSite: ((instance: string) => Promise<readonly string[]>) | null;
}

/** The core event service, the same at a site and at headquarters. */
export interface Core {
  adminKeyRefusals: AdminKeyRefusals;
  keys: KeyService;
  sessions: SessionService;
  events: EventService;
  verdicts: VerdictService;
  feedback: FeedbackSender;
  delivery: ConsumerDelivery;
  tasks: TaskService;
  subscriptions: SubscriptionService;
  incidents: IncidentService;
  retention: RetentionService;
  routes: Route[];
  metrics: Metric[];
  start(): void;
  stop(): Promise<void>;
}

/** The services and routes of the core over a program's stores (design §3). */
export function createCore(options: CoreOptions): Core {
  const { stores, clock, log } = options;
  const keys = new KeyService({
    keys: stores.keys,
    vault: options.vault,
    sources: options.secrets,
    clock,
    log,
    cacheMs: options.keyCacheMs,
  });
  const client = options.createClient(options.feedbackNetworks);
  const feedback = new FeedbackSender({
    feedback: stores.feedback,
    signingSecret: (keyId) => keys.signingSecret(keyId),
    client,
    clock,
    log,
  });
  const events = new EventService({
    events: stores.events,
    clock,
    ...(options.clockSuspect ? { clockSuspect: options.clockSuspect } : {}),
    ...(options.onStored ? { onStored: options.onStored } : {}),
  });
  const verdicts = new VerdictService({
    verdicts: stores.verdicts,
    feedback: stores.feedback,
    sender: feedback,
    clock,
    ...(options.onChange ? { onChange: options.onChange } : {}),
  });
  const incidents = new IncidentService({ incidents: stores.incidents, clock });
  const stats = new StatsService({
    stats: stores.stats,
    knowledge: options.knowledge ?? noKnowledgeCounts,
    clock,
  });
  const tasks = new TaskService({ tasks: stores.tasks, sender: feedback, clock });
  const timeline = new TimelineService({
    ...stores,
    knowledge: options.knowledge ?? noTimelineKnowledge,
    decisions: options.decisions ?? noTimelineDecisions,
    notifications: options.notifications,
    clock,
    self: options.instance,
  });
  const epoch = (): string => stores.epoch();
  const rules = new RuleService({ rules: stores.rules, clock, onRegistered: options.onRule });
  const watermark = new Watermark();
  const subscriptions = new SubscriptionService({
    subscriptions: stores.subscriptions,
    push: stores.push,
    events: stores.events,
    epoch,
    watermark,
    clock,
    alarms: stores.alarms,
    secretResolver: options.secretResolver,
  });
  const delivery = createConsumerDelivery({ ...options, watermark });
  const retention = new RetentionService({
    retention: stores.retention,
    alarms: stores.alarms,
    retentionHooks: [
      incidentRetentionHook(stores.incidents),
      delivery.retentionHook,
      ...options.retentionHooks,
    ],
    limits: options.retention,
    holdUnsent: options.holdUnsent,
    instance: options.instance,
    clock,
    log,
  });
  const sessions = new SessionService({
    sessions: stores.sessions,
    attempts: stores.loginAttempts,
    audit: stores.audit,
    method: options.login,
    deviceSecret: options.deviceSecret,
    clock,
    log,
  });
  const adminKeyRefusals = new AdminKeyRefusals({
    attempts: stores.loginAttempts,
    audit: stores.audit,
    clock,
    log,
  });
  return {
    adminKeyRefusals,
    keys,
    sessions,
    events,
    verdicts,
    feedback,
    tasks,
    subscriptions,
    incidents,
    delivery,
    retention,
    routes: [
      ...subscriptionRoutes({
        service: subscriptions,
        epoch,
        self: options.instance,
        own: options.ownConsumer,
      }),
      ...eventRoutes(events, options.instance),
      ...verdictRoutes(verdicts),
      ...keyRoutes(keys, () => clock.now()),
      ...adminKeyRoutes({ service: options.adminKeys, sessions: stores.sessions, now: () => clock.now() }),
      ...consumerKeyRoutes({
        service: keys,
        subscription: (consumer) => stores.subscriptions.get(consumer),
        now: () => clock.now(),
        own: options.ownConsumer,
      }),
      ...alarmRoutes({
        messages: options.messages,
        alarms: stores.alarms,
        audit: stores.audit,
        clock,
        self: options.instance,
      }),
      ...auditRoutes(stores.audit),
      ...taskRoutes(tasks, () => clock.now()),
      ...notificationRoutes(stores.notifications),
      ...incidentRoutes(incidents),
      ...statsRoutes(stats),
      ...timelineRoutes(timeline),
      ...retentionRoutes(retention),
      ...secretRoutes(
        new SecretService({ secrets: stores.secrets, secretResolver: options.secretResolver, clock }),
      ),
      ...delivery.routes,
      ...ruleRoutes(rules, { epoch, tenantsOfSite: options.tenantsOfSite }),
      ...sessionRoutes({
        service: sessions,
        method: options.login,
        secure: (request) => isSecure(request, options.trustedProxies),
      }),
    ],
    metrics: [
      ...coreMetrics(events, verdicts, feedback, stores),
      ...sessionMetrics(sessions),
      ...adminKeyMetrics(adminKeyRefusals),
      ...delivery.metrics,
      ...retentionMetrics(retention),
      ...taskMetrics(tasks),
    ],
    start: () => {
      feedback.start();
      sessions.start();
      adminKeyRefusals.start();
      delivery.start();
      retention.start();
    },
    stop: async () => {
      await Promise.all([
        feedback.stop(),
        sessions.stop(),
        adminKeyRefusals.stop(),
        delivery.stop(),
        retention.stop(),
      ]);
      client.close();
    },
  };
}
