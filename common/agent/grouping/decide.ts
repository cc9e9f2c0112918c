// Pure: which runs of events an event belongs to (spec 2, "Incident group", Layer).
import { hash } from 'node:crypto';
import { type EventRecord, readDoc } from '../../core/event/record.ts';
import { type IncidentLayer, incidentLayers } from '../../core/incident/schema.ts';
import type { ChainRecord, LinkLimits } from './record.ts';

/**
 * Most members that one row holds: of a run that is not a group yet, and of those that wait to be written
 * back. The oldest members of a run that never became a group are dropped.
 */
const MAX_PENDING = 200;

/** A run whose last change is older than this takes no more events; steady milliseconds. */
export const CHAIN_KEPT_MS = 7 * 24 * 3_600_000;

export interface ChainKey {
  tenantCode: string;
  layer: IncidentLayer;
  chainKey: string;
}

export interface ChainJoin {
  event: EventRecord;
  camera: string;
  steadyAt: number;
}

/**
 * Where an event may belong. Without a site it is in no group; without point and camera in none of L1 and L2.
 * Test events have runs of their own.
 */
export function chainKeys(event: EventRecord): ChainKey[] {
  const { siteRef, pointRef, cameraRef } = readDoc(event);
  if (siteRef === undefined) return [];
  const point = pointRef ?? cameraRef;
  const parts: Record<IncidentLayer, (string | undefined)[]> = {
    L1: [point, event.type],
    L2: [point],
    L3: [],
  };
  return incidentLayers
    .filter((layer) => !parts[layer].includes(undefined))
    .map((layer) => ({
      tenantCode: event.tenantCode,
      layer,
      chainKey: hash('sha256', JSON.stringify([event.isTest, siteRef, ...parts[layer]]), 'hex').slice(0, 32),
    }));
}

/**
 * The runs as they are with the event in them.
 *  - L1, the same point and kind repeated: within `traj_same_cam_gap_s` of the run.
 *  - L2, the same point, simultaneous or in a chain: on the camera of the last event within
 *   `traj_same_cam_gap_s`, on another
 *    one within `traj_link_gap_s` and with a link score of at least `traj_min_link`. The score is 1 − gap /
 *   `traj_link_gap_s`.
 *  - L3, the same site from different sources, a correlation only: as L2 on another camera.
 * A run is a group when it has two events in L1, two event types in L2, two sources in L3.
 */
export function joinChains(
  seen: readonly ChainRecord[],
  joining: ChainJoin,
  limits: LinkLimits,
): ChainRecord[] {
  return chainKeys(joining.event).map((key) => {
    const own = seen.filter((chain) => chain.layer === key.layer && chain.chainKey === key.chainKey);
    const found = own.find((chain) => reaches(chain, joining, limits));
    return found ? extended(found, joining) : begun(key, joining);
  });
}

/** Times of occurrence; receipt where there is none. */
const timeOf = (event: EventRecord): number => event.occurredAt ?? event.originReceivedAt ?? event.receivedAt;

function reaches(chain: ChainRecord, { event, camera }: ChainJoin, limits: LinkLimits): boolean {
  const at = timeOf(event);
  const gap = Math.max(0, at - chain.lastAt, chain.firstAt - at);
  if (chain.layer === 'L1') return gap <= limits.sameCameraGapMs;
  if (chain.layer === 'L2' && chain.lastCamera === camera) return gap <= limits.sameCameraGapMs;
  return gap <= limits.linkGapMs && linkScore(gap, limits) >= limits.minLink;
}

/** 1 for events at the same moment, 0 at the largest gap. */
export const linkScore = (gapMs: number, { linkGapMs }: LinkLimits): number =>
  linkGapMs === 0 ? (gapMs === 0 ? 1 : 0) : 1 - gapMs / linkGapMs;

const traitOf = (layer: IncidentLayer, event: EventRecord): string =>
  layer === 'L3' ? event.source : event.type;

function begun(key: ChainKey, { event, camera, steadyAt }: ChainJoin): ChainRecord {
  const { siteRef = '', pointRef, cameraRef } = readDoc(event);
  const at = timeOf(event);
  return {
    ...key,
    sourceKey: `agent:${key.layer}:${key.chainKey}:${event.id}`,
    siteRef,
    pointRef: key.layer === 'L3' ? null : (pointRef ?? cameraRef ?? null),
    firstAt: at,
    lastAt: at,
    lastCamera: camera,
    traits: [traitOf(key.layer, event)],
    size: 1,
    ripe: false,
    pending: [event.id],
    touchedAt: steadyAt,
  };
}

function extended(chain: ChainRecord, { event, camera, steadyAt }: ChainJoin): ChainRecord {
  const at = timeOf(event);
  const traits = [...new Set([...chain.traits, traitOf(chain.layer, event)])].slice(0, MAX_PENDING);
  const size = chain.size + 1;
  const ripe = chain.ripe || (chain.layer === 'L1' ? size > 1 : traits.length > 1);
  const pending = [...chain.pending, event.id];
  return {
    ...chain,
    firstAt: Math.min(chain.firstAt, at),
    lastAt: Math.max(chain.lastAt, at),
    lastCamera: at >= chain.lastAt ? camera : chain.lastCamera,
    traits,
    size,
    ripe,
    pending: ripe ? pending : pending.slice(-MAX_PENDING),
    touchedAt: steadyAt,
  };
}
