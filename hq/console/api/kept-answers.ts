import { mayAsk } from './acting.ts';

/** Answers that are kept, the ones asked for last. */
const KEPT = 60;

interface Kept {
  tag: string;
  text: string;
  type: string;
}
const kept = new Map<string, Kept>();

/** What is asked for again and again is sent again only where it has changed. */
export async function askedAgain(request: Request): Promise<Response> {
  if (!mayAsk(request)) throw new TypeError('There is no link: nothing can be done from what was kept.');
  if (request.method !== 'GET') return fetch(request);
  const key = `${request.url} ${request.headers.get('x-core-subject') ?? ''}`;
  const known = kept.get(key);
  // Without an answer of its own it says that it would keep one.
  request.headers.set('If-None-Match', known?.tag ?? '"none"');
  const answer = await fetch(request);
  if (answer.status === 304 && known) {
    keep(key, known);
    return new Response(known.text, { status: 200, headers: withType(answer.headers, known.type) });
  }
  const tag = answer.headers.get('ETag');
  if (answer.status === 200 && tag !== null) {
    const text = await answer.clone().text();
    keep(key, { tag, text, type: answer.headers.get('Content-Type') ?? 'application/json' });
  }
  return answer;
}

function keep(key: string, one: Kept): void {
  kept.delete(key);
  kept.set(key, one);
  const [oldest] = kept.keys();
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
}

function withType(headers: Headers, type: string): Headers {
  const all = new Headers(headers);
  all.set('Content-Type', type);
  return all;
}
