// How often the clause that a foreman asks for comes first, by keywords alone. The three regulations are one
// tenant's library, so that each question is asked over all of them.
import type { ForemanQuestion } from './foreman-questions.ts';
import { foremanRegulations } from './foreman-regulations.ts';
import { type Clause, indexOf, type Search } from './index-of.ts';

/** Named as the questions name them: the regulation and the clause number. */
export const foremanClauses: readonly Clause[] = Object.entries(foremanRegulations).flatMap(
  ([title, clauses]) =>
    clauses.map(([path, text]) => ({ name: `${title} ${path.split('/').at(-1)}`, title, path, text })),
);

/** Asks over the regulations; the best clauses, best first. */
export const foremanSearch = (): Search => indexOf(foremanClauses);

/** Shares of questions whose clause came first, and among the first three; and what went wrong. */
export function foremanFigures(
  questions: readonly ForemanQuestion[],
  search = foremanSearch(),
): {
  first: number;
  three: number;
  wrong: string[];
} {
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
