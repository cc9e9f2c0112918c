// Errors that several operations answer alike stand once under `components.responses`.
import type { Json } from './schemas.ts';

export type Paths = Record<string, Record<string, Json & { responses: Record<string, Json> }>>;

/** Names are those of the status and the codes: `ConflictWriteContention`. */
export function shareResponses(paths: Paths): { paths: Paths; responses: Json } {
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const uses = new Map<string, number>();
  for (const { responses } of operations)
    for (const error of Object.values(responses)) uses.set(keyOf(error), (uses.get(keyOf(error)) ?? 0) + 1);
  const shared: Json = {};
  const share = (status: string, response: Json): Json => {
    const key = keyOf(response);
    if (Number(status) < 400 || (uses.get(key) ?? 0) < 2) return response;
    const name = nameOf(status, response);
    if (shared[name] !== undefined && keyOf(shared[name] as Json) !== key) return response;
    shared[name] = response;
    return { $ref: `#/components/responses/${name}` };
  };
  const sharing = mapValues(paths, (item) =>
    mapValues(item, (operation) => ({
      ...operation,
      responses: Object.fromEntries(
        Object.entries(operation.responses).map(([status, response]) => [status, share(status, response)]),
      ),
    })),
  );
  const sorted = Object.entries(shared).sort(([a], [b]) => (a < b ? -1 : 1));
  return { paths: sharing, responses: Object.fromEntries(sorted) };
}

const keyOf = (response: Json): string => JSON.stringify(response);

/** Names of generated types: letters and digits alone, and no digit first. */
const STATUS_NAMES: Readonly<Record<string, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  413: 'ContentTooLarge',
  415: 'UnsupportedMediaType',
  422: 'UnprocessableContent',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  502: 'BadGateway',
  503: 'ServiceUnavailable',
  507: 'InsufficientStorage',
};
/** Codes that come together, in short. */
const TOGETHER: readonly (readonly [codes: string, name: string])[] = [
  ['store_unavailable, store_timeout, store_busy, store_damaged, store_failed, store_closed', 'store'],
  ['request_under_way, retry_outcome_unknown, answer_not_kept', 'retried'],
  ['validation_failed, body_incomplete, malformed_json', 'body'],
];

function nameOf(status: string, { description }: Json): string {
  const codes = TOGETHER.reduce((text, [all, name]) => text.replace(all, name), String(description));
  const [name, told] = [STATUS_NAMES[status] ?? `Status${status}`, inWords(codes)];
  // What the status says already, as `not_found`, is not said twice.
  return told.startsWith(name) ? told : name + told;
}

/** `WriteContention` for write_contention. */
export const inWords = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

const mapValues = <T>(object: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
