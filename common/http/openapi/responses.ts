// Errors that several operations answer alike stand once under `components.responses`.
import type { Json } from './schemas.ts';

export type Paths = Record<string, Record<string, Json & { responses: Record<string, Json> }>>;

/** Names are those of the status and the codes: `409.write_contention`. */
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

const nameOf = (status: string, { description }: Json): string =>
  `${status}.${String(description).replaceAll(', ', '.')}`;

const mapValues = <T>(object: Record<string, T>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
