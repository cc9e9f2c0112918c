import { WaitingCalls } from '../../http/body/waiting-calls.ts';
import type { HttpClient } from '../../http/outbound/client.ts';
import { gauge } from '../../metrics.ts';
import { eventRoutes } from '../event/routes.ts';
import { EventService, type SeverityOf } from '../event/service.ts';
import { type CarryFeedback, FeedbackSender } from '../feedback/sender.ts';
import type { KeyService } from '../key/service.ts';
import { coreMetrics } from '../metrics.ts';
import { noTimelineDecisions, type TimelineDecisions } from '../timeline/port.ts';
import { type AwaitedEntries, VerdictFeed } from '../verdict/feed.ts';
import { verdictReadRoutes } from '../verdict/read-routes.ts';
import { verdictRoutes } from '../verdict/routes.ts';
import { VerdictService } from '../verdict/service.ts';
import type { CoreBase, CorePart } from './part.ts';

export interface EventOptions {
  /** What was decided here on events of sites, where sites call. */
  decisions?: TimelineDecisions;
  /** Whether the wall clock cannot be right now. */
  clockSuspect?: () => boolean;
  /** How grave a tenant says that events of a type are, where their sender does not say. */
  severityOf?: SeverityOf;
  /** Calls that wait for verdicts at a time: each keeps a connection. */
  mostWaiting: number;
  /** Called after each intake that stored something new. */
  onStored?: () => void;
  /** Called after each verdict or correction that was written. */
  onChange?: () => void;
  /** For nodes that take messages in a form of their own. */
  carryFeedback?: CarryFeedback;
}

export interface Events extends CorePart {
  events: EventService;
  feedback: FeedbackSender;
  /** Answers the calls that wait, before the listener closes. */
  release(): void;
}

/**
 * Events, the verdicts on them, and what of these goes back to the camera.
 * @param client reaches cameras
 */
export function createEvents(
  base: CoreBase,
  keys: KeyService,
  client: HttpClient,
  options: EventOptions,
): Events {
  const { stores, clock } = base;
  const feedback = createFeedback(base, keys, client, options);
  const { clockSuspect, onStored, onChange, severityOf } = options;
  const intake = { clockSuspect, severityOf, onStored };
  const events = new EventService({ events: stores.events, clock, cameras: base.cameras, ...intake });
  const verdicts = new VerdictService({
    verdicts: stores.verdicts,
    feedback: stores.feedback,
    sender: feedback,
    decisions: options.decisions ?? noTimelineDecisions,
    clock,
    onChange,
  });
  const { feed, waiting, metrics } = createFeed(base, options.mostWaiting);
  return {
    events,
    feedback,
    routes: [
      ...eventRoutes(events, stores.verdicts, { self: base.instance, groups: base.groups }),
      ...verdictRoutes(verdicts),
      ...verdictReadRoutes({
        events,
        ...{ verdicts: stores.verdicts, feedback: stores.feedback },
        feed,
        waiting,
        epoch: () => stores.epoch(),
      }),
    ],
    metrics: [...coreMetrics(events, verdicts, feedback, stores), ...metrics],
    start: () => {
      feedback.start();
      waiting.loop.start();
    },
    stop: async () => {
      await Promise.all([feedback.stop(), waiting.loop.stop()]);
    },
    release: () => waiting.close(),
  };
}

const createFeedback = (
  { stores, clock, log }: CoreBase,
  keys: KeyService,
  client: HttpClient,
  { carryFeedback: carry }: EventOptions,
): FeedbackSender =>
  new FeedbackSender({
    feedback: stores.feedback,
    signingSecret: (keyId) => keys.signingSecret(keyId),
    client,
    carry,
    clock,
    log,
  });

/** The feed of verdicts, and those that wait for it. */
function createFeed({ stores, log }: CoreBase, most: number) {
  const feed = new VerdictFeed(stores.verdicts, () => stores.epoch());
  const waiting = new WaitingCalls<AwaitedEntries>({
    name: 'waiting for verdicts',
    look: (from) => feed.news(from),
    most,
    log,
  });
  const metrics = [
    gauge(
      'fieldline_verdict_pulls_waiting',
      'Calls that are held until there are verdicts',
      () => waiting.held,
    ),
  ];
  return { feed, waiting, metrics };
}
