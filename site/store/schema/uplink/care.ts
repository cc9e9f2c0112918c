// What headquarters asked this site to look at or to do.
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Message } from '../../../../common/message.ts';
import type { AnswerFile, SiteRequest } from '../../../../common/uplink/request/schema.ts';
import type { CareState } from '../../../care/record.ts';

export const careRequests = sqliteTable(
  'care_requests',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    requestId: text('request_id').notNull().unique(),
    asked: text('asked', { mode: 'json' }).$type<SiteRequest>().notNull(),
    state: text('state').$type<CareState>().notNull(),
    at: integer('at').notNull(),
    exit: integer('exit'),
    text: text('text'),
    file: text('file', { mode: 'json' }).$type<AnswerFile>(),
    /** Headquarters has it, or does not want it any more. */
    fileSent: integer('file_sent', { mode: 'boolean' }).notNull(),
    told: text('told', { mode: 'json' }).$type<Message>(),
  },
  (table) => [index('care_requests_state').on(table.state, table.seq)],
);
