// What the hub and its index threads say to each other.
import type { IndexFacts } from './keeper.ts';
import type { Question, Ranking } from './rank.ts';

export interface ThreadData {
  databaseUrl: string;
  path: string;
  logLevel: string;
}

export type Order =
  | { kind: 'open' }
  | { kind: 'search'; question: Question }
  | { kind: 'catch_up' }
  | { kind: 'replace'; built: string }
  | { kind: 'facts' }
  | { kind: 'build' }
  | { kind: 'close' };

export interface Answers {
  open: { whole: boolean };
  search: Ranking;
  catch_up: { worn: string | null };
  replace: null;
  facts: IndexFacts;
  build: { changeNo: number };
  close: null;
}

export type Envelope = { id: number; order: Order };

/** `unusable`: the file must be made anew; `store`: the database; `failed`: anything else. */
export type Failure = { kind: 'unusable' | 'store' | 'failed'; message: string };

export type Reply = { id: number; value: Answers[keyof Answers] } | { id: number; failure: Failure };
