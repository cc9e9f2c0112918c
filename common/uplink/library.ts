/**
 * How the policies in force come down to sites, shared by both ends.
 *
 * The inbox of a site says, by tenant, at which version the library is that the site is to have.
 * The site then asks for what changed since the version it has, at its own pace and in bounded pieces:
 * first which files there are, then their clauses. The answers are compressed JSON. What is in force goes
 * down with its dates, so that the site needs no link to let a file begin or end. What is not, or not any
 * more, comes as `gone`. At the end the digest of all files is compared; where it differs, or where the site
 * was never told of a number of this store, the site asks for the whole. That the site has it goes up as a
 * `library` of the log (change/library.ts).
 */
import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import { upTo } from '../characters.ts';
import { tenantCode } from '../core/event/schema.ts';
import { described } from '../http/described.ts';
import { saying } from '../http/fault/fault.ts';

export const LIBRARY_PATH = '/api/core/uplink/library';

/** Files of one answer at most, and files whose clauses are asked for in one request. */
export const MAX_LIBRARY_FILES = 500;
export const MAX_ASKED = 100;
/** Bytes of clauses that a request may ask for, before compression; one clause alone may be larger. */
export const CLAUSE_BYTES = { least: 8 * 1024, most: 1024 * 1024 } as const;
/** Bytes of an answer once it is unpacked; more is no answer. */
export const MAX_UNPACKED = 8 * 1024 * 1024;
/** What a site keeps at most, of all its tenants. */
export const MOST_KEPT = { tenants: 200, files: 20_000, clauses: 200_000 } as const;

const id = z.int().check(z.minimum(1));
const count = z.int().check(z.minimum(0));
const line = (max: number) => z.string().check(upTo(max));
const orNothing = (max: number) => z.nullable(line(max));
const digest = z.string().check(z.regex(/^[0-9a-f]{64}$/, saying('wrong_form')));

/** Body of an item of the inbox. */
export const libraryItem = z.object({ tenant_code: tenantCode, version: line(128) });
export type LibraryItem = z.infer<typeof libraryItem>;

/** A file in force, or one that will be on its day. */
export const libraryFile = z
  .object({
    id,
    policy_id: id,
    title: line(512),
    doc_no: orNothing(128),
    version: line(64),
    src_system: line(64),
    src_key: line(256),
    /** Rank of the security level. */
    level: z.int().check(z.minimum(0), z.maximum(3)),
    effective_date: orNothing(10),
    expiry_date: orNothing(10),
    /** Valid in [from, until), epoch ms. */
    valid_from: z.int(),
    valid_until: z.int(),
    /** Its day is to come; on it the version before it ends. */
    scheduled: z.boolean(),
    /** Number of its first clause: another one where its clauses were replaced. */
    text_no: id,
    clauses: z.int().check(z.minimum(1), z.maximum(5_000)),
    /** Over the digests of its clauses, in order. */
    text_sha256: digest,
  })
  .register(described, { id: 'LibraryFile' });
export type LibraryFile = z.infer<typeof libraryFile>;

const clause = z.object({
  id,
  seq: id,
  path: orNothing(512),
  page: z.nullable(z.int()),
  text: line(20_000),
});
export type LibraryClause = z.infer<typeof clause>;

const synonyms = z.object({
  revision: count,
  shipped: z.boolean(),
  groups: z.array(z.array(line(64)).check(z.maxLength(20))).check(z.maxLength(500)),
});
export type LibrarySynonyms = z.infer<typeof synonyms>;

export const libraryRequest = z
  .object({
    protocol: z.int().check(z.minimum(1)),
    version: z.string().check(z.maxLength(64)),
    instance: z.string().check(z.minLength(1), z.maxLength(128)),
    epoch: z.string().check(z.minLength(1), z.maxLength(64)),
    tenant_code: tenantCode,
    ask: z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('files'),
        /** Where the site stands, and the epoch of headquarters that gave the number. */
        after: count,
        hub_epoch: z.string().check(z.maxLength(64)),
        /** It is going through all files: what is gone need not be named. */
        whole: z.boolean(),
      }),
      z.object({
        kind: z.literal('clauses'),
        bytes: z.int().check(z.minimum(1), z.maximum(CLAUSE_BYTES.most)),
        /** `after`: the last clause that is there, by its place in the file. */
        files: z
          .array(z.object({ id, text_no: id, after: count }))
          .check(z.minLength(1), z.maxLength(MAX_ASKED)),
      }),
    ]),
  })
  .register(described, { id: 'LibraryRequest' });
export type LibraryRequest = z.infer<typeof libraryRequest>;

export const filesAnswer = z.object({
  protocol: z.int(),
  epoch: z.string().check(z.minLength(1), z.maxLength(64)),
  /** Of the library as this answer tells of it. */
  version: line(128),
  /** It begins anew: what the site had from before is not to be relied on. */
  restart: z.boolean(),
  through: count,
  more: z.boolean(),
  files: z.array(libraryFile).check(z.maxLength(MAX_LIBRARY_FILES)),
  /** Files that are not in force for the site any more. */
  gone: z.array(id).check(z.maxLength(MAX_LIBRARY_FILES)),
  synonyms,
  /** Of all files; null while there is more. */
  digest: z.nullable(digest),
});
export type FilesAnswer = z.infer<typeof filesAnswer>;

export const clausesAnswer = z.object({
  protocol: z.int(),
  epoch: z.string().check(z.minLength(1), z.maxLength(64)),
  texts: z
    .array(z.object({ id, text_no: id, clauses: z.array(clause).check(z.maxLength(5_000)) }))
    .check(z.maxLength(MAX_ASKED)),
  /** Of those that were asked for, files that have these clauses no more. */
  gone: z.array(id).check(z.maxLength(MAX_ASKED)),
});
export type ClausesAnswer = z.infer<typeof clausesAnswer>;

/** Of all files of a tenant, in any order: both ends tell by it that they have the same. */
export function libraryDigest(files: readonly LibraryFile[]): string {
  const digestOf = createHash('sha256');
  for (const file of [...files].sort((a, b) => a.id - b.id))
    digestOf.update(`${JSON.stringify(MEMBERS.map((name) => file[name]))}\n`);
  return digestOf.digest('hex');
}

const MEMBERS = Object.keys(libraryFile.shape) as (keyof LibraryFile)[];
