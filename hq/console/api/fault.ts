/** The hub could not be reached. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('The hub does not answer.', { cause });
    this.name = 'NoAnswer';
  }
}

/** The hub answered with an error; `code` is stable, `message` its English sentence. */
export class Refused extends Error {
  /** `message` in Chinese; null where the hub has none. */
  readonly messageZh: string | null;
  readonly status: number;
  readonly code: string;
  /** Under which the log of the hub has it; empty when the answer was not the hub's. */
  readonly requestId: string;
  /** Each thing wrong with what was sent, by its path. */
  readonly faults: readonly { path: string; message: string; messageZh?: string }[];
  /** The answer as it came: particulars stand beside `error`. */
  readonly body: Readonly<Record<string, unknown>>;
  /** When to try again at the earliest, seconds; null: not said. */
  readonly retryAfter: number | null;

  constructor(response: Response, body: unknown) {
    const said = isRecord(body) ? body : {};
    super(typeof said.message === 'string' ? said.message : `${response.status} ${response.statusText}`);
    this.name = 'Refused';
    this.messageZh = typeof said.messageZh === 'string' ? said.messageZh : null;
    this.status = response.status;
    this.code = typeof said.error === 'string' ? said.error : `http_${response.status}`;
    this.requestId = response.headers.get('X-Request-Id') ?? '';
    this.faults = Array.isArray(said.details) ? said.details.filter(isFault) : [];
    this.body = said;
    const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
    this.retryAfter = Number.isFinite(seconds) ? seconds : null;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isFault = (value: unknown): value is { path: string; message: string; messageZh?: string } =>
  isRecord(value) && typeof value.path === 'string' && typeof value.message === 'string';
