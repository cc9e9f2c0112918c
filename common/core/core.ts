import type { Networks } from '../http/outbound/address.ts';
import type { CreateHttpClient } from '../http/outbound/client.ts';
import type { AdminKeyRefusals } from './admin-key/refusals.ts';
import { type AccessOptions, createAccess } from './compose/access.ts';
import { type AdministrationOptions, createAdministration } from './compose/administration.ts';
import { type ConsumerOptions, createConsumers } from './compose/consumers.ts';
import { createDisposition, type DispositionOptions } from './compose/disposition.ts';
import { createEvents, type EventOptions } from './compose/events.ts';
import { createEvidence, type EvidenceOptions } from './compose/evidence.ts';
import type { CoreBase, CorePart, CoreSecrets } from './compose/part.ts';
import { createRetention, type RetentionOptions } from './compose/retention.ts';
import type { EventService } from './event/service.ts';
import type { EvidenceService } from './evidence/service.ts';
import type { FeedbackSender } from './feedback/sender.ts';
import { incidentRetentionHook } from './incident/retention-hook.ts';
import type { IncidentService } from './incident/service.ts';
import type { KeyService } from './key/service.ts';
import type { SessionService } from './session/service.ts';
import type { SubscriptionService } from './subscription/service.ts';
import type { TaskService } from './task/service.ts';

export interface CoreOptions {
  base: CoreBase;
  secrets: CoreSecrets;
  outbound: OutboundOptions;
  access: AccessOptions;
  events: EventOptions;
  disposition: DispositionOptions;
  consumers: ConsumerOptions;
  evidence: EvidenceOptions;
  retention: RetentionOptions;
  administration: AdministrationOptions;
}

export interface OutboundOptions {
  createClient: CreateHttpClient;
  /** Where feedback to cameras may go. */
  feedbackNetworks: Networks;
  /** Where pushes to consumers, and the evidence that they ask for, may go. */
  pushNetworks: Networks;
}

/** The core event service, the same at a site and at headquarters. */
export interface Core extends CorePart {
  adminKeyRefusals: AdminKeyRefusals;
  keys: KeyService;
  sessions: SessionService;
  events: EventService;
  evidence: EvidenceService;
  feedback: FeedbackSender;
  tasks: TaskService;
  subscriptions: SubscriptionService;
  incidents: IncidentService;
  /** Answers the calls that are held, before the listener closes. */
  release(): void;
}

/** The services and routes of the core over a program's stores (DESIGN.md, "Two stores"). */
export function createCore(options: CoreOptions): Core {
  const { base, secrets, outbound } = options;
  const cameraClient = outbound.createClient(outbound.feedbackNetworks);
  const consumerClient = outbound.createClient(outbound.pushNetworks);
  const access = createAccess(base, secrets, options.access);
  const events = createEvents(base, access.keys, cameraClient, options.events);
  const disposition = createDisposition(base, events.feedback, options.disposition);
  const consumers = createConsumers(base, secrets, access.keys, consumerClient, options.consumers);
  const evidence = createEvidence(base, secrets, consumerClient, options.evidence);
  const retention = createRetention(base, options.retention, [
    incidentRetentionHook(base.stores.incidents),
    evidence.retentionHook,
    ...options.retention.hooks,
  ]);
  const administration = createAdministration(base, secrets, options.administration);
  const parts = [consumers, events, access, administration, disposition, evidence, retention];
  return {
    adminKeyRefusals: access.adminKeyRefusals,
    keys: access.keys,
    sessions: access.sessions,
    events: events.events,
    evidence: evidence.service,
    feedback: events.feedback,
    tasks: disposition.tasks,
    subscriptions: consumers.subscriptions,
    incidents: disposition.incidents,
    routes: parts.flatMap(({ routes }) => routes),
    metrics: parts.flatMap(({ metrics }) => metrics),
    start: () => parts.forEach((part) => part.start()),
    release: () => {
      consumers.release();
      events.release();
    },
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
      cameraClient.close();
      consumerClient.close();
    },
  };
}
