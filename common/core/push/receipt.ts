import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { JsonExtent } from '../../http/body/json-extent.ts';
import { saying } from '../../http/fault/fault.ts';
import { redactUrl } from '../../http/outbound/redact-url.ts';
import type { EventRecord } from '../event/record.ts';
import { code, isHttpUrl } from '../event/schema.ts';
import type { UploadAccess } from '../evidence/access.ts';
import { announcedAs } from '../evidence/decide.ts';
import type { NewEvidenceJob } from '../evidence/port.ts';

/** Entries of one receipt that are looked at: as many as a batch can announce. */
const MAX_ENTRIES = 2_000;
const MAX_HEADERS = 32;
/** Every entry may have its headers. */
const LIMITS = { depth: 16, values: MAX_ENTRIES * (MAX_HEADERS + 8) * 3, run: 1_000 };

/**
 * Headers that object storage needs. What frames the message, names the host,
 * or tells proxies who is calling stays ours.
 */
const HEADER =
  /^(?:content-type|content-md5|content-disposition|content-language|cache-control|expires|date|authorization|if-none-match|x-(?:amz|goog|ms|oss|obs|cos|tos|bz|object|upyun|minio)-[a-z0-9-]+)$/;
/** Visible ASCII and blanks: nothing that could end the line. */
const HEADER_VALUE = /^[\x20-\x7e]{0,4096}$/;

const entryInput = z.object({
  event_id: z.int().check(z.minimum(1)),
  name: code(128),
  put_url: z.string().check(upTo(4096), z.refine(isHttpUrl, saying('web_address'))),
  headers: z.optional(
    z.record(z.string(), z.string().check(z.regex(HEADER_VALUE, saying('one_ascii_line')))),
  ),
});

/** What a consumer may answer to a push, with a 2xx status (DESIGN.md, "Evidence"). */
const receiptInput = z.object({ evidence: z.optional(z.array(z.unknown())) });

export interface Receipt {
  jobs: NewEvidenceJob[];
  faults: number;
  lastFault: string | null;
}

export interface ReceiptFrame {
  consumer: string;
  /** The events that were pushed: only their evidence may be asked for. */
  events: readonly EventRecord[];
  newId: () => string;
  /** What is to be kept of an address and its headers, which may be credentials. */
  seal: (access: UploadAccess) => string;
}

/**
 * Reads the answer to a push. It never fails: what cannot be followed is counted, and the last of it named.
 */
export function readReceipt(body: Buffer, frame: ReceiptFrame): Receipt {
  const receipt: Receipt = { jobs: [], faults: 0, lastFault: null };
  const entries = entriesOf(body);
  if (typeof entries === 'string') return { ...receipt, faults: 1, lastFault: entries };
  const byId = new Map(frame.events.map((event) => [event.id, event]));
  const seen = new Set<string>();
  for (const [index, entry] of entries.slice(0, MAX_ENTRIES).entries()) {
    const asked = readEntry(entry, byId);
    if (typeof asked === 'string') {
      receipt.faults += 1;
      receipt.lastFault = `evidence[${index}]: ${asked}`.slice(0, 500);
      continue;
    }
    const key = `${asked.event.id}/${asked.name}/${asked.access.putUrl}`;
    if (!seen.has(key)) receipt.jobs.push(jobOf(asked, frame));
    seen.add(key);
  }
  const over = entries.length - MAX_ENTRIES;
  return over > 0
    ? { ...receipt, faults: receipt.faults + over, lastFault: `a receipt names at most ${MAX_ENTRIES} files` }
    : receipt;
}

/**
 * The entries, or what is wrong with the answer as a whole. An answer that is no JSON object asks for
 * nothing: many servers say "OK".
 */
function entriesOf(body: Buffer): unknown[] | string {
  const text = body.toString('utf8').trim();
  if (!text.startsWith('{')) return [];
  try {
    const extent = new JsonExtent(body, LIMITS);
    while (!extent.step());
    const parsed = receiptInput.safeParse(JSON.parse(text));
    return parsed.success ? (parsed.data.evidence ?? []) : 'evidence must be a list';
  } catch (error) {
    return error instanceof SyntaxError
      ? 'the receipt is not valid JSON'
      : 'the receipt has more members than its entries can have';
  }
}

interface Asked {
  event: EventRecord;
  name: string;
  access: UploadAccess;
}

function readEntry(entry: unknown, events: ReadonlyMap<number, EventRecord>): Asked | string {
  const parsed = entryInput.safeParse(entry);
  if (!parsed.success)
    return parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; ');
  const { event_id: eventId, name, put_url: putUrl, headers = {} } = parsed.data;
  const event = events.get(eventId);
  if (!event) return `event ${eventId} was not in this push`;
  if (!announcedAs(event, name)) return `event ${eventId} announced no evidence ${name}`;
  const refused = Object.keys(headers).find((header) => !HEADER.test(header.toLowerCase()));
  if (refused !== undefined) return `the header ${refused.slice(0, 64)} may not be set`;
  if (Object.keys(headers).length > MAX_HEADERS) return `at most ${MAX_HEADERS} headers`;
  return { event, name, access: { putUrl, headers } };
}

function jobOf({ event, name, access }: Asked, frame: ReceiptFrame): NewEvidenceJob {
  return {
    id: frame.newId(),
    tenantCode: event.tenantCode,
    eventId: event.id,
    name,
    consumer: frame.consumer,
    putUrl: redactUrl(access.putUrl),
    access: frame.seal(access),
    state: 'pending',
    lastError: null,
  };
}
