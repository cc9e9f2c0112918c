// How often the right clause is found, beside two others over the same clauses in the same run: questions of
// foremen over the regulations here, and with `--questions FOLDER` those of a set of one's own.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Row } from '../table.ts';
import { foremanClauses } from './foreman.ts';
import { englishClauses, englishQuestions } from './foreman-english.ts';
import { foremanQuestions, freshQuestions, heldBackQuestions, spokenQuestions } from './foreman-questions.ts';
import { certaintyOf, type Clause, indexOf, type Search } from './index-of.ts';
import { bm25, trigrams } from './peers.ts';
import { unanswerable, unanswerableFresh } from './unanswerable.ts';

/** A question with the names of the clauses that answer it. */
interface Asked {
  question: string;
  answers: readonly string[];
}

const PEERS: Readonly<Record<string, (clauses: readonly Clause[]) => Search>> = {
  'this search': indexOf,
  'BM25 (k1 1.2, b 0.75, pairs)': bm25,
  'FTS5 trigram': trigrams,
};

/**
 * @param folder with `articles.jsonl` (name, law, path, text of each clause) and `questions.jsonl` (question,
 * and the names of the clauses that are its answers)
 */
export function measureBesidePeers(folder: string | undefined): Row[] {
  const foremen = [...foremanQuestions, ...heldBackQuestions, ...spokenQuestions, ...freshQuestions];
  const own = foremen.map(([question, answer]) => ({ question, answers: [answer] }));
  const english = englishQuestions.map(([question, answer]) => ({ question, answers: [answer] }));
  const set = folder === undefined ? null : setOf(folder);
  return [
    ...rowsOf('questions of foremen', foremanClauses, own),
    ...rowsOf('English questions of foremen', englishClauses, english),
    ...(set === null ? [] : rowsOf(path.basename(folder ?? ''), ...set)),
    certainRow('regulations', foremanClauses, own),
    ...(set === null ? [] : [certainRow(path.basename(folder ?? ''), ...set)]),
  ];
}

function setOf(folder: string): [Clause[], Asked[]] {
  const lines = <T>(name: string): T[] =>
    readFileSync(path.join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as T);
  const articles = lines<Omit<Clause, 'title'> & { law: string }>('articles.jsonl');
  return [articles.map(({ law, ...one }) => ({ ...one, title: law })), lines<Asked>('questions.jsonl')];
}

const rowsOf = (what: string, clauses: readonly Clause[], asked: readonly Asked[]): Row[] =>
  Object.entries(PEERS).map(([name, make]) => ({
    what: `policy, ${what} (${asked.length}), ${name}`,
    measured: figuresOf(make(clauses), asked),
  }));

/** How many questions are told that nothing is certain: those without an answer, and those with one. */
function certainRow(what: string, clauses: readonly Clause[], asked: readonly Asked[]): Row {
  const certain = certaintyOf(clauses);
  const uncertain = (questions: readonly string[]): string =>
    `${questions.filter((one) => !certain(one)).length} of ${questions.length}`;
  return {
    what: `policy, ${what}, nothing certain`,
    measured:
      `without an answer ${uncertain(unanswerable)}, unseen ${uncertain(unanswerableFresh)}; ` +
      `with one ${uncertain(asked.map(({ question }) => question))}`,
  };
}

function figuresOf(search: Search, asked: readonly Asked[]): string {
  const placed = asked.map(({ question, answers }) => {
    const names = search(question).map(({ clause }) => clause);
    return answers.map((one) => names.indexOf(one) + 1).filter((place) => place > 0);
  });
  const percent = (share: number): string => `${((share * 100) / asked.length).toFixed(1)} %`;
  const within = (limit: number): number =>
    placed.filter((places) => places.some((one) => one <= limit)).length;
  const recall = placed.reduce(
    (sum, places, at) => sum + places.filter((one) => one <= 10).length / (asked[at]?.answers.length ?? 1),
    0,
  );
  const reciprocal = placed.reduce(
    (sum, places) => sum + (places.length > 0 ? 1 / Math.min(...places) : 0),
    0,
  );
  const mrr = (reciprocal / asked.length).toFixed(3);
  return `first ${percent(within(1))}  @6 ${percent(within(6))}  recall@10 ${percent(recall)}  MRR ${mrr}`;
}
