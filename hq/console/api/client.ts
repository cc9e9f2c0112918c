import { createClient, type paths } from '@fieldline/client';
import { hear } from './clock.ts';
import { NoAnswer, Refused } from './fault.ts';
import { askedAgain } from './kept-answers.ts';

/** The public API of the hub that served this page, and nothing else. */
export const api = createClient({ baseUrl: '', fetch: askedAgain });

/**
 * The body of an answer.
 * @param call what the client returned: `answerOf(api.GET('/api/core/alarms'))`
 * @throws Refused when the hub answered with an error, NoAnswer when it did not answer
 */
export async function answerOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<T> {
  const { data, error, response } = await call.catch((cause: unknown) => {
    throw new NoAnswer(cause);
  });
  hear(response.headers.get('Date'));
  // A proxy before a hub that is away answers for it.
  if (response.status === 502 || response.status === 504) throw new NoAnswer(response.statusText);
  if (!response.ok) throw new Refused(response, error);
  return data as T;
}

type Operation<Path extends keyof paths, Method extends keyof paths[Path]> = NonNullable<paths[Path][Method]>;

/** The body that a call is answered with: `Answer<'/api/core/alarms', 'get'>`. */
export type Answer<Path extends keyof paths, Method extends keyof paths[Path]> =
  Operation<Path, Method> extends { responses: infer R }
    ? R[keyof R & (200 | 201 | 202)] extends { content: { 'application/json': infer Body } }
      ? Body
      : never
    : never;
