import { type HttpClient, TransportError } from '../../http/outbound/client.ts';
import { readSecret, SecretError, type SecretSources } from '../../secret/secret.ts';

/** An endpoint that speaks the OpenAI chat completions format. */
export interface ModelOptions {
  /** Up to and without `/chat/completions`. */
  url: string;
  model: string;
  keyRef: string | null;
  /** Bound on one call, milliseconds. */
  timeoutMs: number;
}

export type AskModel = (
  system: string,
  user: string,
  signal: AbortSignal,
) => Promise<{ text: string; tokens?: number } | { error: string }>;

const MAX_ANSWER = 256 * 1024;
const MAX_TOKENS = 400;

/**
 * A model behind an OpenAI-compatible address. What the model or the way to it does wrong is a reason in the
 * answer, not an error.
 */
export function createModel(options: ModelOptions, client: HttpClient, secrets: SecretSources): AskModel {
  return async (system, user, signal) => {
    try {
      const key = options.keyRef === null ? null : readSecret(options.keyRef, secrets);
      const answer = await client.send({
        method: 'POST',
        url: `${options.url.replace(/\/+$/, '')}/chat/completions`,
        timeoutMs: options.timeoutMs,
        maxAnswer: MAX_ANSWER,
        signal,
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({
          model: options.model,
          max_tokens: MAX_TOKENS,
          messages: [
            { role: 'system', content: system },
            { role: 'user', content: user },
          ],
        }),
      });
      if (answer.status !== 200) return { error: `the model answered ${answer.status}` };
      const read = answerOf(answer.body);
      return read ?? { error: 'the model answered without a text' };
    } catch (error) {
      if (error instanceof SecretError || error instanceof TransportError) return { error: error.message };
      throw error;
    }
  };
}

interface Usage {
  total_tokens?: unknown;
  prompt_tokens?: unknown;
  completion_tokens?: unknown;
}

const count = (told: unknown): number =>
  typeof told === 'number' && Number.isSafeInteger(told) && told > 0 ? told : 0;

/** Some endpoints leave out the sum. */
const tokensOf = ({ total_tokens, prompt_tokens, completion_tokens }: Usage): number =>
  count(total_tokens) || count(prompt_tokens) + count(completion_tokens);

/** The text with what it cost, as far as the model says; null: there is no text. */
function answerOf(body: Buffer): { text: string; tokens: number } | null {
  try {
    const answer = JSON.parse(body.toString('utf8')) as {
      choices?: { message?: { content?: unknown } }[];
      usage?: Usage | null;
    } | null;
    const content = answer?.choices?.[0]?.message?.content;
    if (typeof content !== 'string' || content.trim() === '') return null;
    return { text: content.trim(), tokens: tokensOf(answer?.usage ?? {}) };
  } catch {
    // Not JSON: an answer without a text.
    return null;
  }
}
