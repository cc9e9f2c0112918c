import type { RulePort } from '../../core/rule/port.ts';
import type { RuleRecord } from '../../core/rule/record.ts';
import { parseBytes } from '../../http/body/json.ts';
import { AppError } from '../../http/error.ts';
import type { HttpClient } from '../../http/outbound/client.ts';
import { signedHeaders, type SigningKey } from '../../http/signing/signature.ts';
import { parseTime } from '../../time.ts';

const PAGE = 1_000;
const TIMEOUT_MS = 20_000;
/** Of all pages together, bytes: a site has 300 MB for all, and parsed they take several times more. */
const MAX_RULES = 16 * 1024 * 1024;
/** Pages that are followed; a source that never ends is an error. */
const MAX_PAGES = 200;
/** What a page may hold, counted before it is parsed: a rule names up to 2,700 types and places. */
const LIMITS = { depth: 64, values: 2_000_000, run: 20_000 };

/** Every rule in force in this store. */
export async function rulesOf(port: RulePort, tenantCodes: readonly string[] | null): Promise<RuleRecord[]> {
  const all: RuleRecord[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await port.current({ tenantCodes }, last ?? null, PAGE);
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

export interface RemoteOptions {
  client: HttpClient;
  /** Address of headquarters. */
  url: string;
  /** Read for each request. @throws Error with what is wrong with it */
  key: () => SigningKey;
  now: () => number;
}

export type PulledRules = { kind: 'unchanged' } | { kind: 'rules'; rules: unknown[]; etag: string | null };

/** The rule object interface of headquarters, asked with the site's key. */
export class RemoteRules {
  readonly #options: RemoteOptions;

  constructor(options: RemoteOptions) {
    this.#options = options;
  }

  /** @param etag of the rules that are held @throws Error with what went wrong, fit to be shown */
  async pull(etag: string | null, signal: AbortSignal): Promise<PulledRules> {
    const rules: unknown[] = [];
    let cursor: string | null = null;
    let first: string | null = null;
    let room = MAX_RULES;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const answer = await this.#get(cursor, { etag: page === 0 ? etag : null, room, signal });
      if (answer === 'unchanged') return { kind: 'unchanged' };
      if (page === 0) first = answer.etag;
      for (const rule of answer.items) rules.push(rule);
      room -= answer.bytes;
      cursor = answer.nextCursor;
      // A rule that was registered between two pages is taken at the next reload: the tag is that of the
      // first page.
      if (cursor === null) return { kind: 'rules', rules, etag: first };
    }
    throw new Error('headquarters gives rules without end');
  }

  async #get(
    cursor: string | null,
    { etag, room, signal }: { etag: string | null; room: number; signal: AbortSignal },
  ): Promise<'unchanged' | RulePage> {
    const from = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const target = new URL(`/api/core/objects/rules?limit=${PAGE}${from}`, this.#options.url);
    const { status, headers, body } = await this.#options.client.send({
      method: 'GET',
      url: target.href,
      timeoutMs: TIMEOUT_MS,
      maxAnswer: room,
      signal,
      headers: {
        ...signedHeaders(
          this.#options.key(),
          this.#options.now(),
          'GET',
          target.pathname + target.search,
          '',
        ),
        ...(etag === null ? {} : { 'if-none-match': etag }),
      },
    });
    if (status === 304) return 'unchanged';
    if (status !== 200) throw new Error(`headquarters answered ${status} when it was asked for the rules`);
    const { items, nextCursor } = ((await parsed(body)) ?? {}) as { items?: unknown; nextCursor?: unknown };
    if (!Array.isArray(items) || items.length > PAGE)
      throw new Error('headquarters answered with something that is no list of rules');
    return {
      bytes: body.length,
      items: items.map(asRecord),
      nextCursor: typeof nextCursor === 'string' ? nextCursor : null,
      etag: headers.etag ?? null,
    };
  }
}

interface RulePage {
  bytes: number;
  items: unknown[];
  nextCursor: string | null;
  etag: string | null;
}

/** null for what is no JSON, or holds more than rules do. */
async function parsed(body: Buffer): Promise<unknown> {
  try {
    return await parseBytes(body, {
      limits: LIMITS,
      parse: JSON.parse,
      onExtent: () => undefined,
      anyText: true,
    });
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

/** Times come as text; everything else is checked later. */
function asRecord(item: unknown): unknown {
  if (
    typeof item !== 'object' ||
    item === null ||
    !('createdAt' in item) ||
    typeof item.createdAt !== 'string'
  )
    return item;
  return { ...item, createdAt: parseTime(item.createdAt) ?? 0 };
}
