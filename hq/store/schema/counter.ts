// Numbers that are given out, and single facts of the store.
import { pgTable } from 'drizzle-orm/pg-core';
import { long, text } from './columns.ts';

export const counters = pgTable('counters', {
  name: text('name').$type<CounterName>().primaryKey(),
  /** The last number given out. */
  value: long('value').notNull(),
  /** Time that went with it. */
  at: long('at').notNull(),
});

export const storeFacts = pgTable('store_facts', {
  name: text('name').primaryKey(),
  value: text('value').notNull(),
});

export type CounterName =
  | 'event'
  | 'verdict_change'
  | 'task'
  | 'incident'
  | 'notification'
  | 'knowledge'
  | 'kb_doc'
  | 'kb_chunk'
  | 'kb_qa'
  | 'kb_change';
