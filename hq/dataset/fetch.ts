import type * as z from 'zod/mini';
import type { Clock } from '../../common/clock.ts';
import { hostOf } from '../../common/core/secret/decide.ts';
import type { SecretResolver } from '../../common/core/secret/resolver.ts';
import { rowNotDeclared } from '../../common/dataset/rows.ts';
import { type DatasetDescriptor, DESCRIPTOR_PATH, descriptorAnswer } from '../../common/dataset/schema.ts';
import { parseExactDecimals } from '../../common/http/body/exact-json.ts';
import { parseBytes } from '../../common/http/body/json.ts';
import { AppError } from '../../common/http/error.ts';
import { AddressRefused } from '../../common/http/outbound/address.ts';
import {
  type HttpClient,
  leadsTo,
  type OutgoingAnswer,
  TransportError,
} from '../../common/http/outbound/client.ts';
import { SIGNATURE_TOLERANCE_S, signedHeaders } from '../../common/http/signing/signature.ts';
import type { Logger } from '../../common/log.ts';
import { say } from '../../common/message.ts';
import { SecretError } from '../../common/secret/secret.ts';
import { ContractBroken } from './contract.ts';
import type { SourceRecord } from './record.ts';
import { faultsIn, type SourceMessage, sourceReasons } from './source-messages.ts';

/** The source answers a query within 10 s or not at all (spec 2, "Limits"); the rest is for a slow line. */
const EXCHANGE_MS = 30_000;
const MAX_DESCRIPTOR = 4 * 1024 * 1024;
/** Bytes of a page: 5000 rows of 12 KiB. */
const MAX_PAGE = 64 * 1024 * 1024;
/**
 * 5000 rows of 500 fields; a row by itself, and a dataset in the list of them, has no more than its fields.
 */
const PAGE_LIMITS = { depth: 64, values: 7_600_000, run: 20_000 };
/** Calls that are refused for their rate are repeated after what the source asks for, at most so long. */
const LONGEST_WAIT_S = 120;
/** Bytes of an answer that names a row. */
const MAX_ROW_FAULT = 8_192;
/** Bytes of an error's body that the log keeps. */
const LOGGED_ANSWER = 300;

/** The source could not be read; another try may go well. */
export class SourceFailed extends Error {
  /** Seconds that the source asked to wait. */
  readonly retryAfterS: number | null;
  readonly told: SourceMessage;
  constructor(told: SourceMessage, options: { cause?: unknown; retryAfterS?: number | null } = {}) {
    super(say(sourceReasons, told, 'en'), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SourceFailed';
    this.told = told;
    this.retryAfterS = options.retryAfterS ?? null;
  }
}

export interface SourceReaderOptions {
  client: HttpClient;
  secretResolver: Pick<SecretResolver, 'open'>;
  clock: Clock;
  log: Logger;
  /** Longest exchange, body included, ms; 30 s unless given. */
  exchangeMs?: number | undefined;
}

/** Reads a source over HTTP; every call is signed. */
export class SourceReader {
  readonly #options: SourceReaderOptions;
  #exchangeMs: number;

  constructor(options: SourceReaderOptions) {
    this.#options = options;
    this.#exchangeMs = options.exchangeMs ?? EXCHANGE_MS;
  }

  /** @throws SourceFailed, ContractBroken */
  async descriptors(source: SourceRecord, signal: AbortSignal): Promise<Map<string, DatasetDescriptor>> {
    const answer = descriptorAnswer.safeParse(
      await this.#get(source, DESCRIPTOR_PATH, MAX_DESCRIPTOR, signal),
    );
    if (!answer.success) {
      throw new ContractBroken('malformed_descriptor', {
        code: 'descriptor_malformed',
        params: { faults: faultsIn(answer.error.issues) },
      });
    }
    return new Map(answer.data.datasets.map((one) => [one.key, one]));
  }

  /** @throws SourceFailed */
  page(source: SourceRecord, dataset: string, cursor: string | null, signal: AbortSignal): Promise<unknown> {
    const query = new URLSearchParams({
      ...(cursor === null ? {} : { cursor }),
      limit: String(source.pageRows),
      tenant: source.tenantCode,
    });
    return this.#get(source, `${DESCRIPTOR_PATH}/${dataset}?${query.toString()}`, MAX_PAGE, signal);
  }

  async #get(source: SourceRecord, path: string, maxAnswer: number, signal: AbortSignal): Promise<unknown> {
    const url = new URL(source.baseUrl + path);
    try {
      const secret = await this.#options.secretResolver.open(source.secretRef, {
        use: 'dataset',
        tenantCode: source.tenantCode,
        host: hostOf(url.href),
        owner: source.id,
      });
      const headers = signedHeaders(
        { keyId: source.keyId, secret },
        this.#options.clock.now(),
        'GET',
        url.pathname + url.search,
        '',
      );
      const answer = await this.#options.client.send({
        method: 'GET',
        url: url.href,
        headers: { accept: 'application/json', ...headers },
        timeoutMs: this.#exchangeMs,
        maxAnswer,
        signal,
      });
      // What the address answered is for whoever runs the program: it may be no business system at all.
      if (answer.status !== 200)
        this.#options.log.warn(
          {
            source: source.id,
            status: answer.status,
            answer: answer.body.toString('utf8', 0, LOGGED_ANSWER),
          },
          'a source answered with an error',
        );
      return await parse(answer, this.#options.clock.now());
    } catch (error) {
      if (error instanceof SecretError)
        this.#options.log.warn(
          { err: error, source: source.id, tenant: source.tenantCode },
          'the calls to a source cannot be signed',
        );
      throw reasonOf(error);
    }
  }
}

/** @param now epoch ms */
async function parse(answer: OutgoingAnswer, now: number): Promise<unknown> {
  const { status } = answer;
  if (status !== 200) {
    const row = rowFault(answer);
    if (row)
      throw new ContractBroken(
        row.type === null ? 'undeclared_field' : 'wrong_type',
        row.type === null
          ? { code: 'row_undeclared', params: { field: row.field, row: row.row, pk: row.pk } }
          : { code: 'row_type', params: { field: row.field, row: row.row, pk: row.pk, type: row.type } },
        { field: row.field, pk: row.pk },
      );
    const asked = Number(answer.headers['retry-after']);
    const retryAfterS =
      (status === 429 || status === 503) && asked > 0 ? Math.min(LONGEST_WAIT_S, Math.ceil(asked)) : null;
    throw new SourceFailed(
      { code: 'source_answered', params: { status, hint: hintOf(answer, now) } },
      { retryAfterS },
    );
  }
  try {
    return await parseBytes(answer.body, {
      limits: PAGE_LIMITS,
      parse: parseExactDecimals,
      onExtent: () => undefined,
      anyText: true,
    });
  } catch (cause) {
    if (cause instanceof AppError && cause.status === 413)
      throw new SourceFailed({ code: 'source_too_large', params: {} }, { cause });
    throw new SourceFailed({ code: 'source_no_json', params: {} }, { cause });
  }
}

/** The row that the module of a source does not serve, since it is not as declared; null: another error. */
function rowFault({ status, body }: OutgoingAnswer): z.infer<typeof rowNotDeclared> | null {
  if (status !== 500 || body.length > MAX_ROW_FAULT) return null;
  try {
    return rowNotDeclared.safeParse(JSON.parse(body.toString())).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** What to look at. @param now epoch ms */
function hintOf({ status, headers }: OutgoingAnswer, now: number): SourceMessage | '' {
  if (status >= 300 && status < 400) return { code: 'hint_redirect', params: { where: leadsTo(headers) } };
  const ahead = (Date.parse(headers.date ?? '') - now) / 1000;
  if (status === 401 && Math.abs(ahead) > SIGNATURE_TOLERANCE_S) {
    return {
      code: ahead > 0 ? 'hint_ahead' : 'hint_behind',
      params: { seconds: Math.round(Math.abs(ahead)), most: SIGNATURE_TOLERANCE_S },
    };
  }
  if (status === 401 || status === 403) return { code: 'hint_key', params: {} };
  if (status === 404) return { code: 'hint_address', params: { path: DESCRIPTOR_PATH } };
  return '';
}

function reasonOf(error: unknown): unknown {
  if (error instanceof SecretError)
    return new SourceFailed({ code: 'source_unsigned', params: {} }, { cause: error });
  if (!(error instanceof TransportError)) return error;
  const code = error.cause instanceof AddressRefused ? 'source_refused' : 'source_unreached';
  return new SourceFailed({ code, params: { fault: error.fault } }, { cause: error });
}
