// What people at headquarters asked of sites, and what the sites answered.
import { boolean, index, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';
import type { Message } from '../../../common/message.ts';
import type { AnswerFile, RequestKind } from '../../../common/uplink/request/schema.ts';
import { bytes, jsonText, long, text } from '../../store/schema/columns.ts';
import type { AskedFor, RequestRow } from '../request/record.ts';

export const siteRequests = pgTable(
  'site_requests',
  {
    /** One of those that the site had when it was asked. */
    tenantCode: text('tenant_code').notNull(),
    id: text('id').notNull(),
    instance: text('instance').notNull(),
    what: text('what').$type<RequestKind>().notNull(),
    asked: jsonText<AskedFor>('asked').notNull(),
    askedBy: text('asked_by').notNull(),
    askedAt: long('asked_at').notNull(),
    expiresAt: long('expires_at').notNull(),
    state: text('state').$type<RequestRow['state']>().notNull(),
    /** When it first went down; null: it waits here. */
    sentAt: long('sent_at'),
    answeredAt: long('answered_at'),
    exit: integer('exit'),
    text: text('text'),
    file: jsonText<AnswerFile>('file'),
    /** Bytes of the file that are here. */
    held: integer('held').notNull(),
    fileWhole: boolean('file_whole').notNull(),
    /** Times that the whole was not what was announced. */
    mismatches: integer('mismatches').notNull().default(0),
    reason: text('reason'),
    told: jsonText<Message>('told'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantCode, t.id] }),
    index('site_requests_instance').on(t.instance, t.askedAt),
    index('site_requests_asked').on(t.askedAt),
    index('site_requests_id').on(t.id),
  ],
);

/** Files of answers, in the pieces in which they came. */
export const siteRequestPieces = pgTable(
  'site_request_pieces',
  {
    tenantCode: text('tenant_code').notNull(),
    requestId: text('request_id').notNull(),
    startAt: integer('start_at').notNull(),
    bytes: bytes('bytes').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantCode, t.requestId, t.startAt] })],
);
