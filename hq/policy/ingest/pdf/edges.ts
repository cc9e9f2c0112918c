// Running headers and footers of pages: what stands at the edge of most of them, page numbers aside. Pure.

const PAGE_NUMBER =
  /^(?:[-—–·\s]*\d{1,4}[-—–·\s]*|第\s*\d+\s*页(?:[，,/\s]*共\s*\d+\s*页)?|page \d+(?: of \d+)?|\d+\s*\/\s*\d+)$/i;
/** From so many pages on, what stands at the edge of most of them is a header or a footer. */
const ENOUGH_PAGES = 3;
/** Lines that a header or a footer may have. */
const DEEP = 4;
/** What begins like a clause is one, unless it is the same to the letter on most pages. */
const CLAUSE =
  /^(?:第 ?\S{1,9} ?[条章节]|[A-Z]?\d+(?:\.\d+)+|[（(]\S{1,4}[)）]|(?:article|section|clause) )/i;

interface Titled {
  text: string;
}

/** The pages without their running headers, footers and page numbers. */
export function withoutRunningTitles<T extends Titled>(pages: readonly (readonly T[])[]): T[][] {
  const [top, bottom] = [
    running(pages.map((page) => page.slice(0, DEEP))),
    running(pages.map((page) => page.slice(-DEEP))),
  ];
  return pages.map((page) => {
    const isTitle = (line: T | undefined, known: ReadonlySet<string>): boolean =>
      line !== undefined && (PAGE_NUMBER.test(line.text) || known.has(keyOf(line.text)));
    let [from, to] = [0, page.length];
    while (from < Math.min(DEEP, to) && isTitle(page[from], top)) from += 1;
    while (to > Math.max(from, page.length - DEEP) && isTitle(page[to - 1], bottom)) to -= 1;
    return page.slice(from, to).filter(({ text }) => !PAGE_NUMBER.test(text));
  });
}

/** A page number may stand in a header. */
const keyOf = (text: string): string =>
  CLAUSE.test(text) ? text : text.replace(/\d+/g, '#').replace(/\s+/g, '');

/** What most pages have at this edge. */
function running(edges: readonly (readonly Titled[])[]): Set<string> {
  const counts = new Map<string, number>();
  for (const edge of edges)
    for (const key of new Set(edge.map(({ text }) => keyOf(text))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  return new Set(
    [...counts]
      .filter(([, count]) => edges.length >= ENOUGH_PAGES && count > edges.length / 2)
      .map(([key]) => key),
  );
}
