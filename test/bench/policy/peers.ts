// What others find over the same clauses: BM25 over pairs of characters, and SQLite's own full text by
// trigrams, each as it comes.
import Sqlite from 'better-sqlite3';
import type { Clause, Search } from './index-of.ts';

const K1 = 1.2;
const B = 0.75;

/** Pairs of neighbours of every run of Chinese, and words in other letters. */
function piecesOf(text: string): string[] {
  const folded = text.normalize('NFKC').toLowerCase();
  const runs = [...folded.matchAll(/\p{Script=Han}+/gu)].map(([run]) => [...run]);
  return [
    ...runs.flatMap((run) => run.slice(1).map((one, at) => `${run[at]}${one}`)),
    ...[...folded.matchAll(/[a-z0-9.]+/g)].map(([word]) => word),
  ];
}

const counted = (pieces: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
};

export function bm25(library: readonly Clause[]): Search {
  const clauses = library.map(({ name, path, text }) => ({ name, pieces: piecesOf(`${path}\n${text}`) }));
  const counts = clauses.map(({ pieces }) => counted(pieces));
  const having = counted(counts.flatMap((one) => [...one.keys()]));
  const average = clauses.reduce((sum, { pieces }) => sum + pieces.length, 0) / clauses.length;
  const weightOf = (piece: string): number => {
    const those = having.get(piece) ?? 0;
    return Math.log(1 + (clauses.length - those + 0.5) / (those + 0.5));
  };
  return (question) => {
    const asked = [...counted(piecesOf(question))].map(([piece, times]) => ({
      piece,
      weight: times * weightOf(piece),
    }));
    return clauses
      .map(({ name, pieces }, at) => {
        const norm = K1 * (1 - B + (B * pieces.length) / average);
        const score = asked.reduce((sum, { piece, weight }) => {
          const times = counts[at]?.get(piece) ?? 0;
          return sum + (weight * times * (K1 + 1)) / (times + norm);
        }, 0);
        return { clause: name, score };
      })
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score);
  };
}

export function trigrams(clauses: readonly Clause[]): Search {
  const db = new Sqlite(':memory:');
  db.exec("create virtual table clauses using fts5(text, tokenize = 'trigram')");
  const add = db.prepare('insert into clauses (rowid, text) values (?, ?)');
  for (const [at, { path, text }] of clauses.entries()) add.run(at + 1, `${path}\n${text}`);
  const find = db.prepare(
    'select rowid as no, -bm25(clauses) as score from clauses where clauses match ? order by bm25(clauses) ' +
      'limit 200',
  );
  return (question) => {
    const characters = [...question.normalize('NFKC').toLowerCase()];
    const pieces = characters.slice(2).map((_, at) => characters.slice(at, at + 3).join(''));
    const query = [...new Set(pieces)].map((piece) => `"${piece.replaceAll('"', '""')}"`).join(' OR ');
    if (query === '') return [];
    const found = find.all(query) as { no: number; score: number }[];
    return found.map(({ no, score }) => ({ clause: clauses[no - 1]?.name ?? '', score }));
  };
}
