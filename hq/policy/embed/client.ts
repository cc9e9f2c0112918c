import * as z from 'zod/mini';
import type { ModelBudget } from '../../../common/core/model-call/budget.ts';
import { parseBytes } from '../../../common/http/body/json.ts';
import { AppError } from '../../../common/http/error.ts';
import { type OutgoingAnswer, TransportError } from '../../../common/http/outbound/client.ts';
import { createHttpClient } from '../../http-client.ts';

export interface EmbedOptions {
  url: string;
  model: string;
  /** Bearer token; null for none. Read at each call, so that it can be changed; it may throw. */
  key: () => string | null;
  /** Longest wait for an answer, ms. */
  timeoutMs: number;
}

/** How often the service may be called for a tenant; see `ModelBudget`. */
export type EmbedBudget = Pick<ModelBudget, 'take' | 'isSpent' | 'round'>;

export type EmbedFailure = 'unavailable' | 'refused' | 'other_model' | 'bad_answer';

/**
 * The embedding service gave nothing that can be used. The message is made here and has nothing of the
 * service's answer or address in it. `refused`: it does not take these texts; the same texts again will not
 * do better.
 */
export class EmbedError extends Error {
  readonly kind: EmbedFailure;
  constructor(kind: EmbedFailure, message: string) {
    super(message);
    this.name = 'EmbedError';
    this.kind = kind;
  }
}

const MAX_DIM = 4_096;
/** Of one number of a vector, as written, with what stands around it; and of all else in an answer. Bytes. */
const [NUMBER_BYTES, ELSE_BYTES] = [32, 64 * 1024];
/** Members and elements of an answer beside the numbers of its vectors, for each text. */
const ELSE_VALUES = 100;

const answerShape = z.object({
  model: z.optional(z.string()),
  data: z.array(
    z.object({
      index: z.optional(z.int()),
      embedding: z.array(z.number()).check(z.minLength(1), z.maxLength(MAX_DIM)),
    }),
  ),
});

/** Speaks the OpenAI embeddings format (DESIGN.md, "Policy library"). */
export class EmbedClient {
  readonly model: string;
  readonly #options: EmbedOptions;
  #http = createHttpClient(null, { maxSockets: 4 });
  #url: string;

  constructor(options: EmbedOptions) {
    this.#options = options;
    this.model = options.model;
    this.#url = embeddingsUrl(options.url);
  }

  /** One vector a text, in their order, all of one dimension. @throws EmbedError, the signal's reason */
  async embed(
    texts: readonly string[],
    options: { signal?: AbortSignal; timeoutMs?: number } = {},
  ): Promise<Float32Array[]> {
    const answer = await this.#post(texts, options);
    if (answer.status === 400 || answer.status === 413 || answer.status === 422)
      throw new EmbedError('refused', `the embedding service answered ${answer.status}`);
    if (answer.status !== 200)
      throw new EmbedError('unavailable', `the embedding service answered ${answer.status}`);
    return vectorsOf(await jsonOf(answer.body, texts.length), texts.length, this.model);
  }

  close(): void {
    this.#http.close();
  }

  async #post(
    texts: readonly string[],
    { signal, timeoutMs }: { signal?: AbortSignal; timeoutMs?: number },
  ): Promise<OutgoingAnswer> {
    try {
      const key = this.#options.key();
      return await this.#http.send({
        method: 'POST',
        url: this.#url,
        timeoutMs: timeoutMs ?? this.#options.timeoutMs,
        maxAnswer: ELSE_BYTES + texts.length * MAX_DIM * NUMBER_BYTES,
        ...(signal ? { signal } : {}),
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ model: this.model, input: texts, encoding_format: 'float' }),
      });
    } catch (error) {
      signal?.throwIfAborted();
      // The message of the transport names hosts and addresses; its code does not.
      throw new EmbedError(
        'unavailable',
        'the embedding service did not answer ' +
          `(${error instanceof TransportError ? error.code : 'connection failed'})`,
      );
    }
  }
}

/** CORE_EMBED_URL may be the base (…/v1) or the whole address. */
function embeddingsUrl(given: string): string {
  const url = new URL(given);
  if (!url.pathname.endsWith('/embeddings')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/embeddings`;
  return url.href;
}

function vectorsOf(answer: unknown, count: number, model: string): Float32Array[] {
  const parsed = answerShape.safeParse(answer);
  if (!parsed.success || parsed.data.data.length !== count)
    throw new EmbedError(
      'bad_answer',
      'the embedding service gave an answer that is not in the agreed format',
    );
  const { data, model: named } = parsed.data;
  if (named !== undefined && !sameModel(named, model))
    throw new EmbedError(
      'other_model',
      'the embedding service answered with another model than the one configured',
    );
  const ordered = [...data]
    .map((one, at) => ({ ...one, index: one.index ?? at }))
    .sort((a, b) => a.index - b.index);
  const dim = ordered[0]?.embedding.length;
  if (ordered.some(({ index, embedding }, at) => index !== at || embedding.length !== dim))
    throw new EmbedError('bad_answer', 'the embedding service gave vectors that do not fit together');
  const vectors = ordered.map(({ embedding }) => Float32Array.from(embedding));
  // Of these texts only: others must not wait for it.
  if (vectors.some((vector) => vector.every((value) => value === 0) || !vector.every(Number.isFinite)))
    throw new EmbedError('refused', 'the embedding service gave a vector without a direction');
  return vectors;
}

/** Services answer with the name in full (vendor/model) or with its edition (model-v2). */
function sameModel(named: string, model: string): boolean {
  const [a, b] = [named.toLowerCase(), model.toLowerCase()];
  return (
    a === b || a.endsWith(`/${b}`) || b.endsWith(`/${a}`) || a.startsWith(`${b}-`) || a.startsWith(`${b}:`)
  );
}

/**
 * undefined for what is not in the agreed format. What it holds is counted before it is parsed: values of a
 * byte each would take more memory than the program has.
 */
async function jsonOf(body: Buffer, count: number): Promise<unknown> {
  const run = MAX_DIM + ELSE_VALUES;
  try {
    return await parseBytes(body, {
      limits: { depth: 16, values: (count + 1) * run, run },
      parse: JSON.parse,
      onExtent: () => undefined,
      anyText: true,
    });
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
