// What the page asks of the site. The header marks calls of a page: no page of another address can send it.
import { language, say } from './language.ts';

export function call(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = {
    'X-Requested-With': 'fieldline',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return fetch(path, {
    method,
    headers,
    cache: 'no-store',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** @throws Error what the site has against it, in the language of the page */
export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let answer: Response;
  try {
    answer = await call(method, path, body);
  } catch {
    throw new Error(say()('gone'));
  }
  const told = (await answer.json().catch(() => ({}))) as { message?: string; messageZh?: string };
  if (answer.ok) return told as T;
  const text = (language() === 'zh' ? told.messageZh : null) ?? told.message;
  throw new Error(text ?? String(answer.status));
}
