// How often the clause that a foreman asks for comes first, by keywords alone. The three regulations are one
// tenant's library, so that each question is asked over all of them.
import Sqlite from 'better-sqlite3';
import { load as loadVectorExtension } from 'sqlite-vec';
import { createTables } from '../../../hq/policy/index/layout.ts';
import { rank } from '../../../hq/policy/index/rank.ts';
import { Rows } from '../../../hq/policy/index/rows.ts';
import { IndexWriter } from '../../../hq/policy/index/writer.ts';
import { constructionSynonyms } from '../../../hq/policy/terms/synonyms.ts';
import { queryTermsOf } from '../../../hq/policy/terms/terms.ts';
import type { ForemanQuestion } from './foreman-questions.ts';
import { foremanRegulations } from './foreman-regulations.ts';

export interface ForemanHit {
  /** As the questions name it: the regulation and the clause number. */
  clause: string;
  score: number;
}

/** Asks over the regulations; the best clauses, best first. */
export function foremanSearch(): (question: string) => ForemanHit[] {
  const db = new Sqlite(':memory:');
  loadVectorExtension(db);
  createTables(db);
  const rows = new Rows();
  const writer = new IndexWriter(db, rows);
  const named = new Map<number, string>();
  let changeNo = 0;
  Object.entries(foremanRegulations).forEach(([name, clauses], at) => {
    const id = at + 1;
    const file = { id, tenant: 'site', source: 'own', effective: true, level: 0, from: 0, until: 10 };
    writer.apply([{ kind: 'document', changeNo: (changeNo += 1), ...file }]);
    for (const [path, text] of clauses) {
      changeNo += 1;
      named.set(changeNo, `${name} ${path.split('/').at(-1)}`);
      const none = { embedding: null, model: null, dim: null };
      const chunk = {
        id: changeNo,
        tenant: 'site',
        doc: id,
        seq: changeNo,
        title: name,
        path,
        text,
        ...none,
      };
      writer.apply([{ kind: 'chunk', changeNo, ...chunk }]);
    }
  });
  return (question) => {
    const { candidates } = rank(db, rows, {
      filter: { tenantCode: 'site', maxRank: 3, now: 5, sources: null },
      terms: queryTermsOf(question, constructionSynonyms),
      vector: null,
      model: null,
      explain: false,
    });
    return candidates.map(({ chunkId, score }) => ({ clause: named.get(chunkId) ?? '', score }));
  };
}

/** Shares of questions whose clause came first, and among the first three; and what went wrong. */
export function foremanFigures(questions: readonly ForemanQuestion[]): {
  first: number;
  three: number;
  wrong: string[];
} {
  const search = foremanSearch();
  const placed = questions.map(([question, answer]) => {
    const hits = search(question);
    return { question, answer, hits, place: hits.findIndex(({ clause }) => clause === answer) + 1 };
  });
  const within = (limit: number): number =>
    placed.filter(({ place }) => place > 0 && place <= limit).length / placed.length;
  return {
    first: within(1),
    three: within(3),
    wrong: placed
      .filter(({ place }) => place !== 1)
      .map(
        ({ question, answer, place, hits }) =>
          `${question}: ${answer} at ${place}, first ${hits[0]?.clause} (${hits[0]?.score.toFixed(2)})`,
      ),
  };
}
