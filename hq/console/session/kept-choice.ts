// Pure: which of the rows that somebody saw a browser keeps.

/** What one query was answered. */
export interface KeptQuery {
  key: readonly unknown[];
  /** When it was answered, epoch ms. */
  at: number;
  data: unknown;
}

/** Characters of all that is kept. */
export const MOST_KEPT = 400_000;
/** What is older is no help any more. */
export const OLDEST_MS = 24 * 3_600_000;
/** Events that are kept with their course, the ones looked at last. */
const EVENTS = 3;
/** The queue as it was looked at last, and as the start page asks for it. */
const QUEUES = 2;

/** What people, cameras, sites and types are called. */
const NAMES = new Set(['site-names', 'camera-names', 'rules', 'zones']);

/** Which of its kind it is, and how many of these are kept; null: it is not kept. */
function kindOf(key: readonly unknown[]): { kind: string; one: string; most: number } | null {
  const [first, second, third] = key;
  if (first === 'events' && second === 'unjudged')
    return { kind: 'queue', one: JSON.stringify(key), most: QUEUES };
  // The rows, and those that came above them.
  if (first === 'events' && (third === 'pages' || third === 'head'))
    return { kind: 'list', one: JSON.stringify(second), most: 1 };
  if (first === 'event') return { kind: 'event', one: String(second), most: EVENTS };
  if (typeof first === 'string' && NAMES.has(first) && (first !== 'rules' || second === 'event-types'))
    return { kind: 'names', one: JSON.stringify(key), most: Infinity };
  return null;
}

export const isKept = (key: readonly unknown[]): boolean => kindOf(key) !== null;

/** Of a list that grew only its first page. */
function cut({ key, at, data }: KeptQuery): KeptQuery {
  if (key.at(-1) !== 'pages') return { key, at, data };
  const { pages, pageParams } = data as { pages: unknown[]; pageParams: unknown[] };
  return { key, at, data: { pages: pages.slice(0, 1), pageParams: pageParams.slice(0, 1) } };
}

/** What is kept of all that was answered: of each kind the newest, and no more than there is room for. */
export function chosenRows(all: readonly KeptQuery[], now: number): KeptQuery[] {
  const seen = new Map<string, Set<string>>();
  const known = new Set<string>();
  const found: KeptQuery[] = [];
  let room = MOST_KEPT;
  for (const query of all.toSorted((a, b) => b.at - a.at)) {
    const kind = kindOf(query.key);
    const name = JSON.stringify(query.key);
    if (kind === null || known.has(name) || query.at < now - OLDEST_MS || query.data === undefined) continue;
    const ones = seen.get(kind.kind) ?? new Set();
    if (!ones.has(kind.one) && ones.size >= kind.most) continue;
    const short = cut(query);
    const size = JSON.stringify(short).length;
    if (size > room) continue;
    room -= size;
    known.add(name);
    seen.set(kind.kind, ones.add(kind.one));
    found.push(short);
  }
  return found;
}
