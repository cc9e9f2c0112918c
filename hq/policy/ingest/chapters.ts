// Chapters of standards, which bear a bare number: "4 一般规定", then "4.1 …". A quantity, or a row of a table,
// begins no other way; a chapter is told by what follows it and by the ones around it. Pure.

const TITLE = /^(\d{1,2})[ 　\t]+(?=[\p{Script=Han}\p{Lu}])[^。；;，,：:|]{1,60}$/u;

interface TitleLine {
  text: string;
  heading?: number;
  row?: boolean;
}

interface Candidate {
  at: number;
  no: number;
  /** The next line is its first section. */
  sure: boolean;
}

/** Places of the lines that are titles of chapters. */
export function chaptersOf(lines: readonly TitleLine[]): Set<number> {
  const found = candidatesOf(lines);
  const sure = found.flatMap((one, at) => (one.sure ? [at] : []));
  const chapters = new Set(sure.map((at) => found[at]?.at ?? 0));
  // Those without sections, as "1 范围", stand in a row with those that have some.
  for (let gap = 0; gap <= sure.length && sure.length > 0; gap += 1) {
    const [from, to] = [sure[gap - 1] ?? -1, sure[gap] ?? found.length];
    const [before, after] = [found[from]?.no ?? Infinity, found[to]?.no ?? 0];
    const between = found.slice(from + 1, to);
    // Numbers that begin anew belong to the end of one row and to the beginning of the next.
    const rises = before < after;
    if (before !== Infinity)
      follow(between, { from: before, step: 1, until: rises ? after : Infinity }, chapters);
    if (!rises) follow(between.reverse(), { from: after, step: -1, until: 0 }, chapters);
  }
  return chapters;
}

function candidatesOf(lines: readonly TitleLine[]): Candidate[] {
  const found: Candidate[] = [];
  let last: Candidate | null = null;
  lines.forEach(({ text, row, heading }, at) => {
    const words = text.trim();
    if (words === '') return;
    if (last && new RegExp(`^${last.no}\\.1(?!\\d)`).test(words)) last.sure = true;
    const no = row || heading !== undefined ? undefined : TITLE.exec(words)?.[1];
    last = no === undefined ? null : { at, no: Number(no), sure: false };
    if (last) found.push(last);
  });
  return found;
}

/** Takes in the next number in one direction, and the next after it. */
function follow(
  candidates: readonly Candidate[],
  { from, step, until }: { from: number; step: 1 | -1; until: number },
  chapters: Set<number>,
): void {
  let wanted = from + step;
  for (const { at, no } of candidates) {
    if (no !== wanted || wanted === until) continue;
    chapters.add(at);
    wanted += step;
  }
}
