/**
 * How evidence files travel beside the two channels (DESIGN.md, "Beside the two channels"), shared by sender
 * and receiver.
 *
 * What headquarters wants (`EvidenceWant`) comes down with the inbox of the site (inbox.ts). `keep`: the
 * site brings the file in pieces, each durable at headquarters before its answer; `put`: the site sends it
 * to a consumer's storage. What becomes of a want goes up in state calls, which may also offer files that
 * headquarters did not ask for. Everything is idempotent by the want's id.
 */
import * as z from 'zod/mini';
import { evidenceInput, idempotencyKey, tenantCode } from '../core/event/schema.ts';
import { evidenceModes } from '../core/evidence/schema.ts';
import { described } from '../http/described.ts';
import type { Fault } from '../http/fault/fault.ts';
import { clockTime, itemReader, line, orNull, readEach } from './item.ts';

/** Bytes of one piece at most. */
export const MAX_PIECE = 1024 * 1024;
/** Bytes of one piece at least, the last one of a file excepted. */
export const LEAST_PIECE = 1024;
/** Entries of each list of one state call at most. */
export const MAX_STATES = 200;

const id = z.string().check(z.minLength(1), z.maxLength(128));
const key = idempotencyKey;
const { name } = evidenceInput.shape;

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

/** Names a file of an event. */
export const fileOfEvent = { tenant_code: tenantCode, event_key: key, name };
export type FileOfEvent = z.infer<typeof fileOffer>;
const count = z.int().check(z.minimum(0));

const stateEntry = z.object({
  want_id: id,
  state: z.enum(siteStates),
  reason: orNull(line(1_000)),
  at: orNull(clockTime),
});
const fileOffer = z.object(fileOfEvent);
const goneFile = z.object({ ...fileOfEvent, at: clockTime });
const entries = z.array(z.unknown()).check(z.maxLength(MAX_STATES));

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
    /** `StateEntry`, `FileOffer` and `GoneFile`, checked one by one, so that a bad one is left out alone. */
    states: entries,
    offers: entries,
    gone: entries,
  })
  .register(described, { id: 'EvidenceStates' });
/** As it comes, before its entries are read. */
export type StatesCall = z.infer<typeof statesRequest>;
export type StatesRequest = Omit<StatesCall, 'states' | 'offers' | 'gone'> & {
  states: z.infer<typeof stateEntry>[];
  offers: z.infer<typeof fileOffer>[];
  gone: z.infer<typeof goneFile>[];
};

const readers = { states: itemReader(stateEntry), offers: itemReader(fileOffer), gone: itemReader(goneFile) };

/** The entries of a call, and what is wrong with those that are left out. */
export function readStates(call: StatesCall): { request: StatesRequest; refused: Fault[] } {
  const states = readEach(readers.states, call.states);
  const offers = readEach(readers.offers, call.offers);
  const gone = readEach(readers.gone, call.gone);
  return {
    request: { ...call, states: states.items, offers: offers.items, gone: gone.items },
    refused: [states, offers, gone].flatMap(({ refused }) => refused.map(({ fault }) => fault)),
  };
}

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
/** Bytes of a preview at most: a small JPEG of a picture that is still at its site. */
export const MAX_PREVIEW = 40_000;
export const PREVIEWS_PATH = '/api/core/uplink/evidence/previews';
export const previewPath = (file: FileOfEvent): string =>
  `${PREVIEWS_PATH}?${new URLSearchParams({ ...file }).toString()}`;
export const STATES_PATH = '/api/core/uplink/evidence/states';
