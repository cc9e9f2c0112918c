import type { ChannelName, NotificationState } from '../notification/record.ts';
import type { CallEntry, KnowledgeKind, NotifiedWay } from './record.ts';

/** A knowledge object that is about an event. */
export interface KnowledgeEntry {
  id: number;
  kind: KnowledgeKind;
  /** When it was stored, epoch ms; null when that cannot be read. */
  at: number | null;
  by: string | null;
  title: string;
  /** Whether a model wrote it. */
  machineGenerated: boolean;
}

/** What the knowledge noun gives to timelines. */
export interface TimelineKnowledge {
  /**
   * Oldest first, at most `limit`, of every kind but the excluded ones. @param shown `account`: whose
   * clearance limits what is seen; null: everything is
   */
  ofEvent(
    event: { id: number; tenantCode: string },
    shown: { exclude: readonly KnowledgeKind[]; account: string | null },
    limit: number,
  ): Promise<KnowledgeEntry[]>;
}

/** A notification that was sent about an event: how it went, not to whom. */
export interface NotificationEntry {
  id: string;
  /** Epoch ms; null when that cannot be read. */
  at: number | null;
  channel: ChannelName;
  status: NotificationState;
  /** Whether the model's summary that goes with it could be made; null when none was asked for. */
  summary: 'succeeded' | 'failed' | null;
  way: NotifiedWay;
}

/** What the agent gives to timelines. */
export interface TimelineNotifications {
  /** Oldest first, at most `limit`. */
  ofEvent(event: { id: number; tenantCode: string }, limit: number): Promise<NotificationEntry[]>;
}

/** Where there is no knowledge. */
export const noTimelineKnowledge: TimelineKnowledge = { ofEvent: () => Promise.resolve([]) };

/** A verdict, a correction or an order on a task of headquarters that its site has not carried out. */
export interface SiteDecision {
  id: string;
  kind: 'verdict' | 'correction' | 'order';
  instance: string;
  /** Epoch ms. */
  createdAt: number;
  /** null: it waits for the site's next call. Refused is also what the site had judged otherwise before. */
  refused: { at: number; reason: string; reasonZh: string | null } | null;
  /** What the site answered cannot be read, as `refused` says: it may have carried it out. */
  unclear: boolean;
}

/** What headquarters knows of its decisions on events of sites. */
export interface TimelineDecisions {
  /** Oldest first, at most `limit`. */
  openOf(event: { id: number; tenantCode: string }, limit: number): Promise<SiteDecision[]>;
}

/** Where nothing is decided for others. */
export const noTimelineDecisions: TimelineDecisions = { openOf: () => Promise.resolve([]) };

/** What headquarters knows of the people it called. */
export interface TimelineCalls {
  /** null: nobody was called. */
  ofEvent(event: { id: number; tenantCode: string }, limit: number): Promise<CallEntry | null>;
}

/** Where nobody is called. */
export const noTimelineCalls: TimelineCalls = { ofEvent: () => Promise.resolve(null) };
