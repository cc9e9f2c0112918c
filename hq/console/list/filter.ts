import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo } from 'react';
import * as z from 'zod/mini';

/** Text of a filter, at most 200 characters. */
export const text = z.string().check(z.minLength(1), z.maxLength(200));
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) => z.enum(values);
/** Any of them: `?state=late&state=silent`. */
export const anyOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.union([
    z.array(z.enum(values)),
    z.pipe(
      z.enum(values),
      z.transform((one) => [one]),
    ),
  ]);
export const whole = z.coerce.number().check(z.int(), z.nonnegative());
/** A moment, ISO 8601. */
export const moment = z.iso.datetime({ offset: true });

type Shape = Readonly<Record<string, z.ZodMiniType>>;
type Filters<S extends Shape> = { [K in keyof S]?: z.infer<S[K]> };

/**
 * What of an address a screen understands, for `validateSearch` and `useFilters`. What does not fit is left
 * out: an address that somebody typed opens the screen all the same.
 */
export const filters =
  <S extends Shape>(shape: S) =>
  (raw: Record<string, unknown>): Filters<S> => {
    const read: Partial<Record<keyof S, unknown>> = {};
    for (const name of Object.keys(shape)) {
      const one = shape[name];
      const parsed = raw[name] === undefined ? undefined : one?.safeParse(raw[name]);
      if (parsed?.success) read[name as keyof S] = parsed.data;
    }
    return read as Filters<S>;
  };

/**
 * The filters of the address, and how they are changed: `change({ state: undefined })` takes one out. A
 * change replaces the address, so that "back" leaves the screen; `push` makes it one to come back to. `clear`
 * takes all of them out; undefined where none is set.
 */
export function useFilters<F extends object>(read: (raw: Record<string, unknown>) => F) {
  const raw: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const now = useMemo(() => read(raw), [read, raw]);
  const change = useCallback(
    (patch: Partial<F>, { push = false } = {}): void => {
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...patch }), replace: !push });
    },
    [navigate],
  );
  const set = Object.keys(now).filter((name) => now[name as keyof F] !== undefined);
  const clear = (): void =>
    void navigate({
      to: '.',
      search: (old: object) =>
        Object.fromEntries(Object.entries(old).filter(([name]) => !set.includes(name))),
      replace: true,
    });
  /** As `clear`, of some alone, where others are none of the list. */
  const clearOf = (...names: (keyof F)[]): (() => void) | undefined =>
    names.some((name) => now[name] !== undefined)
      ? () => change(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<F>)
      : undefined;
  return { filters: now, change, clear: set.length > 0 ? clear : undefined, clearOf };
}
