import * as z from 'zod/mini';
import { lastBackup, unplannedEndsView } from '../../common/core/run/schema.ts';
import { described } from '../../common/http/described.ts';
import { settingsOutcomes } from '../../common/uplink/settings/record.ts';
import { connectionView, refusalReasons } from '../intake/schema.ts';
import { siteStatusView } from '../uplink/status.ts';

const time = z.nullable(z.string());
const count = z.int();
const bytes = z.nullable(z.int());

/** Answer of GET /api/core/site/status. */
export const siteFacts = z
  .object({
    /**
     * The state of the site in one word: `well`, `look` (a person should look at it), `bad` (it does not
     * store, or something critical stands).
     */
    state: z.enum(['well', 'look', 'bad']),
    instance: z.string(),
    version: z.string(),
    commit: z.string(),
    epoch: z.string(),
    now: z.string(),
    uptimeSeconds: z.int(),
    dataDir: z.string(),
    /** Where cameras and browsers of its network reach it; empty: the machine has no address there. */
    addresses: z.array(z.string()),
    /** `events`: how many are kept here. */
    storing: z.object({
      ok: z.boolean(),
      reason: z.nullable(z.enum(['disk_full', 'store_failed'])),
      events: count,
    }),
    uplink: siteStatusView,
    disk: z.object({
      level: z.enum(['ok', 'short', 'full']),
      capacityBytes: bytes,
      usedBytes: bytes,
      roomBytes: bytes,
      reserveBytes: bytes,
      dbBytes: z.int(),
      walBytes: z.int(),
      /** Deleted for want of room; `lost`: files that headquarters did not hold. */
      shed: z.object({
        evidence: count,
        evidenceBytes: count,
        observations: count,
        events: count,
        lost: count,
        lostBytes: count,
      }),
      refused: count,
      guardSince: time,
      aside: z.array(z.object({ name: z.string(), bytes: z.int(), at: z.string() })),
    }),
    wear: z.object({
      bytesWritten: bytes,
      diskBytesWritten: bytes,
      disk: z.nullable(z.string()),
      lifeUsedPercent: z.nullable(z.int()),
      endOfLife: z.nullable(z.enum(['normal', 'warning', 'urgent'])),
      events: count,
      syncs: count,
      walBytesWritten: z.int(),
      bytesPerEvent: z.nullable(z.number()),
      syncsPerEvent: z.nullable(z.number()),
      /** At the rate since the start of the process; null in the first ten minutes. */
      bytesPerDay: bytes,
    }),
    clock: z.object({
      suspect: z.boolean(),
      synchronized: z.nullable(z.boolean()),
      lastStep: z.nullable(z.object({ at: z.string(), stepMs: z.int(), marked: z.int() })),
    }),
    cameras: z.array(
      z.object({
        keyId: z.string(),
        name: z.string(),
        tenantCode: z.nullable(z.string()),
        lastEventAt: time,
        events: count,
        silent: z.boolean(),
        /** null: the camera sends by itself. */
        connection: z.nullable(connectionView),
        /** Of a device that cannot sign; null: it signs what it sends. */
        kind: z.nullable(z.string()),
        /** Its messages are refused, since one was taken: why, the last and the first, and how many. */
        refused: z.nullable(
          z.object({ reason: z.enum(refusalReasons), at: z.string(), since: z.string(), count }),
        ),
        /** The cameras that it names in its events, those heard last first. */
        refs: z.array(z.object({ ref: z.string(), lastEventAt: z.string(), events: count })),
      }),
    ),
    /** What headquarters set here last, and what of it is in use; null: it has set nothing. */
    settings: z.nullable(
      z.object({
        version: z.int(),
        by: z.string(),
        state: z.enum(settingsOutcomes),
        since: z.string(),
        /** Variables whose value is that of headquarters. What the site's own environment sets wins. */
        inUse: z.array(z.object({ name: z.string(), value: z.nullable(z.union([z.int(), z.string()])) })),
      }),
    ),
    integrity: z.object({
      state: z.enum(['unchecked', 'checking', 'good', 'damaged']),
      checkedAt: time,
      fault: z.nullable(z.string()),
    }),
    unplannedEnds: unplannedEndsView,
    /** null: none is known of. */
    lastBackup: z.nullable(lastBackup),
    alarms: z.array(
      z.object({
        key: z.string(),
        severity: z.enum(['warning', 'critical']),
        message: z.string(),
        /** What `message` says as a code, and in Chinese; null for a code that only another version knows. */
        code: z.nullable(z.string()),
        messageZh: z.nullable(z.string()),
        count,
        raisedAt: z.string(),
      }),
    ),
    history: z.object({
      stepSeconds: z.int(),
      steps: z.array(z.object({ at: z.string(), received: count, backlog: count, room: bytes })),
    }),
  })
  .register(described, { id: 'SiteFacts' });
export type SiteFacts = z.infer<typeof siteFacts>;
