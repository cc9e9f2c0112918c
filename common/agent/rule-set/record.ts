import type { CameraBook } from '../../core/camera/record.ts';
import { type EventRecord, readDoc } from '../../core/event/record.ts';
import type { EventKind, EventSource, Severity } from '../../core/event/schema.ts';
import type {
  NamesBody,
  ResponseBody,
  SeveritiesBody,
  ThresholdBody,
  ThresholdName,
} from '../../core/rule/schema.ts';

/** A response rule in force. */
export interface ResponseRule extends ResponseBody {
  tenantCode: string;
  name: string;
  version: number;
}

/** Spec 3, "Threshold rule". */
export interface Thresholds {
  judgeMinConf: number;
  trajMinLink: number;
  trajLinkGapS: number;
  trajSameCamGapS: number;
  /** Negative: no escalation. */
  escalateGraceS: number;
}

export const fallbackThresholds: Thresholds = {
  judgeMinConf: 0.6,
  trajMinLink: 0.5,
  trajLinkGapS: 900,
  trajSameCamGapS: 120,
  escalateGraceS: 0,
};

/** A threshold as rules name it, and as the agent holds it. */
export const thresholdMembers = {
  judge_min_conf: 'judgeMinConf',
  traj_min_link: 'trajMinLink',
  traj_link_gap_s: 'trajLinkGapS',
  traj_same_cam_gap_s: 'trajSameCamGapS',
  escalate_grace_s: 'escalateGraceS',
} as const satisfies Record<ThresholdName, keyof Thresholds>;

export function thresholdsOf(body: ThresholdBody | undefined): Thresholds {
  return {
    judgeMinConf: body?.judge_min_conf ?? fallbackThresholds.judgeMinConf,
    trajMinLink: body?.traj_min_link ?? fallbackThresholds.trajMinLink,
    trajLinkGapS: body?.traj_link_gap_s ?? fallbackThresholds.trajLinkGapS,
    trajSameCamGapS: body?.traj_same_cam_gap_s ?? fallbackThresholds.trajSameCamGapS,
    escalateGraceS: body?.escalate_grace_s ?? fallbackThresholds.escalateGraceS,
  };
}

/** What a rule sees of an event. */
export interface AgentEvent {
  id: number | null;
  tenantCode: string;
  type: string;
  kind: EventKind;
  source: EventSource;
  severity: Severity | null;
  isTest: boolean;
  /** Epoch ms; null when the camera did not know. */
  occurredAt: number | null;
  receivedAt: number;
  siteRef: string | null;
  cameraRef: string | null;
  cameraName: string | null;
  pointRef: string | null;
  /** Of the machine judgement; null without one. */
  confidence: number | null;
}

/** @param cameras names that people gave cameras; left out: none */
export function agentEventOf(event: EventRecord, cameras?: CameraBook): AgentEvent {
  const doc = readDoc(event);
  const { id, tenantCode, type, kind, source, severity, isTest, occurredAt, instance } = event;
  const cameraRef = doc.cameraRef ?? null;
  return {
    id,
    tenantCode,
    type,
    kind,
    source,
    severity,
    isTest,
    occurredAt,
    receivedAt: event.originReceivedAt ?? event.receivedAt,
    siteRef: doc.siteRef ?? null,
    cameraRef,
    cameraName: cameras?.called({ tenantCode, instance, cameraRef }) ?? doc.cameraName ?? null,
    pointRef: doc.pointRef ?? null,
    confidence: doc.judged?.confidence ?? null,
  };
}

/** Everything of one tenant that the agent goes by. */
export interface TenantRules {
  /** In the order in which they are asked: priority, then name, then version. */
  rules: readonly ResponseRule[];
  thresholds: Thresholds;
  names: NamesBody;
  /** How grave events are by their types, where the tenant says so. */
  severities: SeveritiesBody['types'];
  /** Texts of the prompts by name. */
  prompts: Readonly<Record<string, string>>;
}
