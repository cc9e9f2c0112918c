/** What a site tells headquarters of its machine, beside the data of the verdicts channel. */
import * as z from 'zod/mini';
import { lastBackup } from '../core/run/schema.ts';
import { described } from '../http/described.ts';

/** Most of each list that headquarters keeps; of a longer one the beginning. */
export const MAX_REPORTED = {
  alarms: 100,
  flows: 32,
  cameras: 100,
  camera_refs: 200,
  parked: 20,
  hours: 48,
} as const;

const time = z.string().check(z.maxLength(40));
const text = z.string().check(z.maxLength(500));

/** A member that an older site leaves out; one of a newer kind is taken for left out. */
const later = <T extends z.ZodMiniType>(schema: T) => z.catch(z.optional(schema), undefined);

const siteAlarm = z.object({
  key: z.string().check(z.minLength(1), z.maxLength(128)),
  severity: z.enum(['warning', 'critical']),
  message: z.string().check(z.maxLength(2_000)),
  /** What `message` says, and the same in Chinese; null where the site does not know its own code. */
  code: later(z.nullable(z.string().check(z.maxLength(64)))),
  message_zh: later(z.nullable(z.string().check(z.maxLength(2_000)))),
  raised_at: time,
});

/** What waits at a site of one of the things that travel between it and headquarters. */
const siteFlow = z.object({
  name: z.string().check(z.minLength(1), z.maxLength(32)),
  waiting: z.int(),
  /** null: no figure is made of it. */
  bytes: z.nullable(z.int()),
  oldest_at: z.nullable(time),
  late: z.boolean(),
  parked: z.int(),
  /** In English and in Chinese. */
  last_error: z.nullable(text),
  last_error_zh: z.nullable(text),
  /** Tries that failed since the last one that went well. */
  failures: later(z.int()),
  next_attempt_at: later(z.nullable(time)),
  /** Of a channel: how far headquarters has it, and the newest position. */
  cursor: later(z.int()),
  head: later(z.int()),
});

const siteCamera = z.object({
  key_id: z.string().check(z.minLength(1), z.maxLength(128)),
  name: z.string().check(z.maxLength(256)),
  tenant: z.nullable(z.string().check(z.maxLength(128))),
  last_event_at: z.nullable(time),
  events: z.int(),
  silent: z.boolean(),
  /** Kind of a device that cannot sign; null: it signs what it sends. */
  kind: later(z.nullable(z.string().check(z.maxLength(64)))),
  /** null: it sends by itself, and nobody connects to it. `code`: why it is not connected. */
  connection: later(
    z.nullable(
      z.object({
        condition: z.string().check(z.maxLength(32)),
        since: time,
        code: z.nullable(z.string().check(z.maxLength(64))),
        reason: z.nullable(text),
        reason_zh: z.nullable(text),
      }),
    ),
  ),
  /** Its messages are refused, since it was heard last. */
  refused: later(z.nullable(z.object({ reason: z.string().check(z.maxLength(32)), at: time }))),
});

/** A camera that is named in events which came by a key: several may stand behind one box. */
const siteCameraRef = z.object({
  key_id: z.string().check(z.minLength(1), z.maxLength(128)),
  ref: z.string().check(z.minLength(1), z.maxLength(128)),
  last_event_at: time,
  events: z.int(),
});

/** An item that headquarters refused. */
const siteParked = z.object({
  channel: z.string().check(z.maxLength(32)),
  origin_id: z.int(),
  error: z.string().check(z.maxLength(128)),
  message: text,
  count: z.int(),
  first_at: time,
  last_at: time,
});

/** One hour of the site's history. */
const siteHour = z.object({
  at: time,
  /** Events received in it. */
  received: z.int(),
  /** Most events that waited to go up. */
  backlog: z.int(),
  /** Least room on the disk; null where it was not measured. */
  room_bytes: z.nullable(z.int()),
});

const lists = {
  alarms: siteAlarm,
  flows: siteFlow,
  cameras: siteCamera,
  camera_refs: siteCameraRef,
  parked: siteParked,
  hours: siteHour,
} as const;

/** An older site sends none; members that are not known are left out. */
const siteReport = z
  .object({
    at: time,
    /**
     * Which of its reports it is: two connections may bring them in another order than they were made in, and
     * the clock may be set meanwhile. `run` stands for one run of the program.
     */
    order: z.object({ run: z.string().check(z.regex(/^[\w-]{1,64}$/)), no: z.int().check(z.minimum(0)) }),
    state: z.string().check(z.maxLength(16)),
    storing: z.boolean(),
    /** IANA name of the time zone of the machine, or its offset as `+08:00`. */
    zone: later(z.string().check(z.minLength(1), z.maxLength(64))),
    disk: z.object({
      level: z.string().check(z.maxLength(16)),
      room_bytes: z.nullable(z.int()),
      used_bytes: z.nullable(z.int()),
      refused: z.int(),
      /** Until it is full at the rate of the last day; null: it does not fill, or is not known yet. */
      days_left: later(z.nullable(z.int())),
    }),
    /** Deleted for want of room; `lost`: files that headquarters did not hold. */
    shed: z.object({
      evidence: z.int(),
      evidence_bytes: z.int(),
      observations: z.int(),
      events: z.int(),
      lost: z._default(z.int(), 0),
      lost_bytes: z._default(z.int(), 0),
    }),
    clock_suspect: z.boolean(),
    life_used_percent: z.nullable(z.int()),
    silent_cameras: z.int(),
    /** Of the program, that nobody had asked for, in the last days. */
    unplanned_ends: later(
      z.object({
        days: z.int(),
        count: z.int(),
        hangs: z.int(),
        last_at: z.nullable(time),
        last_kind: z.nullable(z.string().check(z.maxLength(16))),
      }),
    ),
    /** Times in the same days in which it did not run, and then went on by itself. */
    stalls: later(
      z.object({
        count: z.int(),
        longest_seconds: z.int(),
        last_at: z.nullable(time),
        last_seconds: z.nullable(z.int()),
      }),
    ),
    /** Whether headquarters may look in, or the owner of the site has switched that off. */
    remote_care: later(z.enum(['on', 'off'])),
    /** null: none is known of there. */
    last_backup: later(z.nullable(lastBackup)),
    alarms: z.array(siteAlarm),
    flows: z.optional(z.array(siteFlow)),
    /** Silent ones first. */
    cameras: z.optional(z.array(siteCamera)),
    /** Those heard last first. */
    camera_refs: z.optional(z.array(siteCameraRef)),
    /** What was refused last comes first. */
    parked: z.optional(z.array(siteParked)),
    /** Of the last day, oldest first. */
    hours: z.optional(z.array(siteHour)),
  })
  .register(described, { id: 'SiteReport' });
export type SiteReport = z.infer<typeof siteReport>;

/** A report as headquarters keeps it. */
export interface KeptReport extends SiteReport {
  /**
   * How far the clock of the site was ahead of that of headquarters when the report came, ms; the way of
   * the report is in it. Left out where the site told no readable time.
   */
  clock_offset_ms?: number;
}

/**
 * null: of a form that is not known here. Of a list, what is of a newer kind is left out and costs no more
 * than itself.
 */
export function readSiteReport(value: unknown): SiteReport | null {
  if (typeof value !== 'object' || value === null) return null;
  const known: Record<string, unknown[] | undefined> = {};
  for (const [name, schema] of Object.entries(lists)) {
    const told: unknown = (value as Record<string, unknown>)[name];
    known[name] = Array.isArray(told) ? readList(told, schema, MAX_REPORTED[name as ListName]) : undefined;
  }
  return siteReport.safeParse({ ...value, ...known }).data ?? null;
}

type ListName = keyof typeof lists;

function readList(told: readonly unknown[], schema: z.ZodMiniType, most: number): unknown[] {
  const read: unknown[] = [];
  for (const one of told) {
    if (read.length === most) break;
    const parsed = schema.safeParse(one);
    if (parsed.success) read.push(parsed.data);
  }
  return read;
}
