import type { StatusOptions } from '../uplink/status.ts';
import { readFacts, type FactsOptions } from './facts.ts';

/** The longest texts that headquarters accepts: it would refuse the whole report for one longer alarm. */
const KEY_CHARS = 128;
const MESSAGE_CHARS = 2_000;
const FLOW_ERROR_CHARS = 500;

/**
 * What headquarters is told of this machine with the uplink: the state, the disk and what it cost, the
 * standing alarms. JSON text.
 */
export async function reportOf(options: FactsOptions, uplink: StatusOptions): Promise<string> {
  const {
    state,
    storing,
    disk,
    clock,
    wear,
    cameras,
    alarms,
    now,
    uplink: told,
  } = await readFacts(options, uplink);
  return JSON.stringify({
    at: now,
    state,
    storing: storing.ok,
    disk: {
      level: disk.level,
      room_bytes: disk.roomBytes,
      used_bytes: disk.usedBytes,
      refused: disk.refused,
    },
    shed: {
      evidence: disk.shed.evidence,
      evidence_bytes: disk.shed.evidenceBytes,
      observations: disk.shed.observations,
      events: disk.shed.events,
    },
    clock_suspect: clock.suspect,
    life_used_percent: wear.lifeUsedPercent,
    silent_cameras: cameras.filter((camera) => camera.silent).length,
    alarms: alarms.map(({ key, severity, message, raisedAt }) => ({
      key: key.slice(0, KEY_CHARS),
      severity,
      message: message.slice(0, MESSAGE_CHARS),
      raised_at: raisedAt,
    })),
    flows: told.flows.map(({ name, waiting, bytes, oldestAt, late, parked, ...tries }) => ({
      name,
      waiting,
      bytes,
      oldest_at: oldestAt,
      late,
      parked,
      last_error: tries.lastError?.slice(0, FLOW_ERROR_CHARS) ?? null,
      last_error_zh: tries.lastErrorZh?.slice(0, FLOW_ERROR_CHARS) ?? null,
    })),
  });
}
