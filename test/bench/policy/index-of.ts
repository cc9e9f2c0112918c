// The hub's own search by keywords over a list of clauses, without a hub.
import Sqlite from 'better-sqlite3';
import { load as loadVectorExtension } from 'sqlite-vec';
import type { IndexChange } from '../../../common/policy/index/change.ts';
import { createTables } from '../../../common/policy/index/layout.ts';
import { JUDGED, rank, type Ranking } from '../../../common/policy/index/rank.ts';
import { Rows } from '../../../common/policy/index/rows.ts';
import { IndexWriter } from '../../../common/policy/index/writer.ts';
import { certainNoteOf } from '../../../common/policy/search/certainty.ts';
import { constructionSynonyms } from '../../../common/policy/terms/synonyms.ts';
import { queryTermsOf } from '../../../common/policy/terms/terms.ts';

export interface Clause {
  /** As questions name it. */
  name: string;
  /** Title of its file. */
  title: string;
  path: string;
  text: string;
}

export interface Hit {
  clause: string;
  score: number;
}

/** Clauses by their names, best first. */
export type Search = (question: string) => Hit[];

export function indexOf(clauses: readonly Clause[]): Search {
  const { ask, named } = open(clauses);
  return (question) =>
    ask(question).candidates.map(({ chunkId, score }) => ({ clause: named.get(chunkId) ?? '', score }));
}

/** Whether the search takes its best hits for an answer. */
export function certaintyOf(clauses: readonly Clause[]): (question: string) => boolean {
  const { ask } = open(clauses);
  return (question) => {
    const ranking = ask(question);
    return certainNoteOf(ranking, ranking.candidates.slice(0, JUDGED)) === '';
  };
}

/** Clauses of one title are one file. */
function open(clauses: readonly Clause[]): {
  ask: (question: string) => Ranking;
  named: ReadonlyMap<number, string>;
} {
  const db = new Sqlite(':memory:');
  loadVectorExtension(db);
  createTables(db);
  const rows = new Rows();
  const named = new Map<number, string>();
  const changes: IndexChange[] = [];
  let doc = 0;
  for (const [title, own] of Map.groupBy(clauses, (one) => one.title)) {
    doc += 1;
    const file = { id: doc, tenant: 'site', source: 'own', effective: true, level: 0, from: 0, until: 10 };
    changes.push({ kind: 'document', changeNo: changes.length + 1, ...file });
    for (const { name, path, text } of own) {
      const id = changes.length + 1;
      named.set(id, name);
      const chunk = { id, tenant: 'site', doc, seq: id, title, path, text };
      changes.push({ kind: 'chunk', changeNo: id, ...chunk, embedding: null, model: null, dim: null });
    }
  }
  new IndexWriter(db, rows).apply(changes);
  const ask = (question: string): Ranking =>
    rank(db, rows, {
      filter: { tenantCode: 'site', maxRank: 3, now: 5, sources: null },
      terms: queryTermsOf(question, constructionSynonyms),
      vector: null,
      model: null,
      explain: false,
    });
  return { ask, named };
}
