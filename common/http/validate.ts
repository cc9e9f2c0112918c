import { badRequest, type Fault } from './error.ts';
import type { Schema } from './route.ts';
import './wording.ts';

/** @throws AppError 400 listing every fault */
export function validate<T>(schema: Schema, value: unknown, root = ''): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data as T;
  throw badRequest(faultsOf(result.error.issues, root));
}

/** Every fault with its path. */
export function faultsOf(issues: readonly { path: readonly PropertyKey[]; message: string; code?: string; keys?: readonly string[] }[], root = ''): Fault[] {
  return issues.flatMap((issue) => {
    const path = issue.path.reduce<string>(
      (so, part) => (typeof part === 'number' ? `${so}[${part}]` : so === '' ? String(part) : `${so}.${String(part)}`), root,
    );
    if (issue.code === 'unrecognized_keys' && issue.keys) {
      return issue.keys.map((key) => ({ path: (path === '' ? key : `${path}.${key}`).slice(0, 200), message: 'is not known here; check the spelling' }));
    }
    return [{ path, message: issue.message }];
  });
}
