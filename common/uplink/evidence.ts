/**
 * How evidence files travel beside the two channels (design §6, "Beside the two channels"), shared by sender
 * and receiver.
 *
 * Headquarters names what it wants in its answers (`EvidenceWant`), again until the site has said in a state
 * call that it knows. `keep`: the site brings the file in pieces, each durable at headquarters before its
 * answer; `put`: the site sends it to a consumer's storage. What becomes of a want goes up in state calls,
 * which may also offer files that headquarters did not ask for. Everything is idempotent by the want's id.
 */
import * as z from 'zod/mini';
import { described } from '../http/described.ts';
import { tenantCode } from '../core/event/schema.ts';
import { evidenceModes } from '../core/evidence/schema.ts';
import { line, storable } from './item.ts';

/** A site understands wants. */
export const EVIDENCE = 'evidence';

/** Bytes of one piece at most. */
export const MAX_PIECE = 1024 * 1024;
/** Entries of each list of one state call at most. */
export const MAX_STATES = 200;

const id = z.string().check(z.minLength(1), z.maxLength(128), storable);
const key = line(128).check(z.minLength(1));
const name = z.string().check(z.minLength(1), z.maxLength(128), storable);

/** A file that headquarters wants of a site. */
export const evidenceWant = z
  .object({
    want_id: id,
    tenant_code: z.string(),
    event_key: key,
    name,
    kind: z.enum(['keep', 'put']),
    /** Bytes that headquarters holds already. */
    offset: z._default(z.int().check(z.minimum(0)), 0),
    /** Epoch ms. */
    asked_at: z.int(),
    /** The site had offered it; what a person asked for goes first. */
    offered: z._default(z.boolean(), false),
    /** `put`: who wants it, and what opens the address, which may be a credential. */
    consumer: z.optional(z.string()),
    put: z.optional(z.object({ url: z.string(), headers: z.record(z.string(), z.string()) })),
  })
  .register(described, { id: 'EvidenceWant' });
export type EvidenceWant = z.infer<typeof evidenceWant>;

/**
 * `taken`: the site knows of it and has the file. `awaited`: the camera has not sent the file. `waiting`: a
 * try to send it on failed, another follows. `gone`: deleted there, at `at`. `failed`: given up.
 */
export const siteStates = ['taken', 'awaited', 'waiting', 'done', 'gone', 'failed'] as const;
export type SiteState = (typeof siteStates)[number];

const fileOfEvent = { tenant_code: tenantCode.check(storable), event_key: key, name };
const count = z.int().check(z.minimum(0));

/** Body of a state call. */
export const statesRequest = z
  .object({
    protocol: z.int().check(z.minimum(1)),
    version: z.string().check(z.maxLength(64)),
    instance: z.string().check(z.minLength(1), z.maxLength(128)),
    epoch: z.string().check(z.minLength(1), z.maxLength(64)),
    mode: z.enum(evidenceModes),
    /** Files that wait here to go up, and their bytes. */
    backlog: z.object({ files: count, bytes: count }),
    states: z
      .array(
        z.object({
          want_id: id,
          state: z.enum(siteStates),
          reason: z._default(z.nullable(z.string().check(z.maxLength(1_000))), null),
          /** Epoch ms. */
          at: z._default(z.nullable(z.int()), null),
        }),
      )
      .check(z.maxLength(MAX_STATES)),
    offers: z.array(z.object(fileOfEvent)).check(z.maxLength(MAX_STATES)),
    /** Files that were deleted there. */
    gone: z.array(z.object({ ...fileOfEvent, at: z.int() })).check(z.maxLength(MAX_STATES)),
  })
  .register(described, { id: 'EvidenceStates' });
export type StatesRequest = z.infer<typeof statesRequest>;

/** Answer to a piece; a 409 `evidence_offset` has its `offset` alone. */
export interface PieceAnswer {
  wantId: string;
  /** Bytes that are durable at headquarters. */
  offset: number;
  size: number;
  /** It is whole, was checked, and is kept. */
  done: boolean;
}

export const piecePath = (wantId: string, offset: number): string =>
  `/api/core/uplink/evidence/${encodeURIComponent(wantId)}?offset=${offset}`;
export const STATES_PATH = '/api/core/uplink/evidence/states';
