import { formatTime } from '../../common/time.ts';
import type { ConnectionView } from '../intake/schema.ts';
import type { ReportOrder } from '../uplink/report.ts';
import type { SiteUplinkStatus, StatusOptions } from '../uplink/status.ts';
import { daysLeft, hoursOf } from './decide.ts';
import { type FactsOptions, readFacts } from './facts.ts';
import { isAway } from './judge.ts';
import type { SiteFacts } from './schema.ts';
import { machineZone } from './zone.ts';

/** The longest texts that headquarters accepts: it would refuse the whole report for one longer alarm. */
const KEY_CHARS = 128;
const MESSAGE_CHARS = 2_000;
const FLOW_ERROR_CHARS = 500;
const NAME_CHARS = 256;
/** More cameras and parked items than this are looked at on the site's own page. */
const MOST_CAMERAS = 100;
const MOST_PARKED = 20;
/** Of all keys together. */
const MOST_REFS = 200;

/**
 * What headquarters is told of this machine with the uplink: the state, the disk and what it cost, the
 * standing alarms, what waits, the cameras and the last day. JSON text.
 */
export async function reportOf(
  options: FactsOptions,
  uplink: StatusOptions,
  order: ReportOrder,
): Promise<string> {
  const facts = await readFacts(options, uplink);
  const { now, state, storing, clock, wear, cameras, history } = facts;
  return JSON.stringify({
    at: now,
    order,
    state,
    storing: storing.ok,
    zone: machineZone(),
    ...diskOf(facts),
    clock_suspect: clock.suspect,
    life_used_percent: wear.lifeUsedPercent,
    silent_cameras: cameras.filter((camera) => camera.silent).length,
    unplanned_ends: endsOf(facts),
    stalls: stallsOf(facts),
    remote_care: options.remoteCare ? 'on' : 'off',
    last_backup: facts.lastBackup,
    alarms: alarmsOf(facts),
    flows: flowsOf(facts.uplink),
    cameras: camerasOf(facts),
    camera_refs: refsOf(facts),
    parked: parkedOf(uplink),
    hours: hoursOf(history.steps),
  });
}

const diskOf = ({ disk, history }: SiteFacts) => ({
  disk: {
    level: disk.level,
    room_bytes: disk.roomBytes,
    used_bytes: disk.usedBytes,
    refused: disk.refused,
    days_left: daysLeft(history.steps),
  },
  shed: {
    evidence: disk.shed.evidence,
    evidence_bytes: disk.shed.evidenceBytes,
    observations: disk.shed.observations,
    events: disk.shed.events,
    lost: disk.shed.lost,
    lost_bytes: disk.shed.lostBytes,
  },
});

const endsOf = ({ unplannedEnds: { days, count, hangs, lastAt, lastKind } }: SiteFacts) => ({
  days,
  count,
  hangs,
  last_at: lastAt,
  last_kind: lastKind,
});

const stallsOf = ({ unplannedEnds: { stalls } }: SiteFacts) => ({
  count: stalls.count,
  longest_seconds: stalls.longestSeconds,
  last_at: stalls.lastAt,
  last_seconds: stalls.lastSeconds,
});

const alarmsOf = ({ alarms }: SiteFacts) =>
  alarms.map(({ key, severity, message, code, messageZh, raisedAt }) => ({
    key: key.slice(0, KEY_CHARS),
    severity,
    message: message.slice(0, MESSAGE_CHARS),
    code,
    message_zh: messageZh?.slice(0, MESSAGE_CHARS) ?? null,
    raised_at: raisedAt,
  }));

const flowsOf = (told: SiteUplinkStatus) =>
  told.flows.map(({ name, waiting, bytes, oldestAt, late, parked, ...tries }) => ({
    ...positionsOf(told, name),
    name,
    waiting,
    bytes,
    oldest_at: oldestAt,
    late,
    parked,
    last_error: tries.lastError?.slice(0, FLOW_ERROR_CHARS) ?? null,
    last_error_zh: tries.lastErrorZh?.slice(0, FLOW_ERROR_CHARS) ?? null,
    failures: tries.consecutiveFailures,
    next_attempt_at: tries.nextAttemptAt,
  }));

const camerasOf = ({ cameras }: SiteFacts) =>
  cameras
    .toSorted((a, b) => Number(isTroubled(b)) - Number(isTroubled(a)) || Number(b.silent) - Number(a.silent))
    .slice(0, MOST_CAMERAS)
    .map(({ keyId, name, tenantCode, lastEventAt, events, silent, kind, connection, refused }) => ({
      key_id: keyId,
      name: name.slice(0, NAME_CHARS),
      tenant: tenantCode,
      last_event_at: lastEventAt,
      events,
      silent,
      kind,
      connection: connection && connectionTold(connection),
      refused: refused && { reason: refused.reason, at: refused.at },
    }));

const isTroubled = (camera: SiteFacts['cameras'][number]): boolean =>
  camera.refused !== null || isAway(camera);

const connectionTold = ({ condition, since, code, reason, reasonZh }: ConnectionView) => ({
  condition,
  since,
  code,
  reason: reason?.slice(0, FLOW_ERROR_CHARS) ?? null,
  reason_zh: reasonZh?.slice(0, FLOW_ERROR_CHARS) ?? null,
});

/** The cameras that stand behind the keys, those heard last first. */
const refsOf = ({ cameras }: SiteFacts) =>
  cameras
    .flatMap(({ keyId, refs }) => refs.map((one) => ({ keyId, ...one })))
    .toSorted((a, b) => b.lastEventAt.localeCompare(a.lastEventAt))
    .slice(0, MOST_REFS)
    .map(({ keyId, ref, lastEventAt, events }) => ({
      key_id: keyId,
      ref,
      last_event_at: lastEventAt,
      events,
    }));

/** How far a channel is; nothing for what is no channel. */
function positionsOf({ channels }: SiteUplinkStatus, name: string): { cursor?: number; head?: number } {
  const channel = channels.find((one) => one.name === name);
  return channel ? { cursor: channel.cursor, head: channel.head } : {};
}

const parkedOf = ({ store }: StatusOptions) =>
  store.uplink
    .parked({ state: 'parked' }, MOST_PARKED)
    .map(({ channel, originId, error, message, count, firstAt, lastAt }) => ({
      channel,
      origin_id: originId,
      error: error.slice(0, KEY_CHARS),
      message: message.slice(0, FLOW_ERROR_CHARS),
      count,
      first_at: formatTime(firstAt),
      last_at: formatTime(lastAt),
    }));
