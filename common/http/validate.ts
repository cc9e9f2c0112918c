import './wording.ts';
import { overlongLists } from './body/lists.ts';
import { badRequest, MAX_FAULTS, moreFaults } from './error.ts';
import { type Fault, faultAt, faultBy } from './fault/fault.ts';
import type { Schema } from './route.ts';

/** @throws AppError 400 listing the faults, MAX_FAULTS of them at most and then how many more there are */
export function validate<T>(schema: Schema, value: unknown, root = ''): T {
  const overlong = overlongLists(schema, value);
  if (overlong.length > 0) throw badRequest(faultsOf(overlong, root));
  const result = schema.safeParse(value);
  if (result.success) return result.data as T;
  throw badRequest(faultsOf(result.error.issues, root));
}

interface Issue {
  path: readonly PropertyKey[];
  message: string;
  code?: string;
  keys?: readonly string[];
}

/** The faults with their paths, MAX_FAULTS at most; a last one counts those beyond. */
export function faultsOf(issues: readonly Issue[], root = ''): Fault[] {
  const faults: Fault[] = [];
  let beyond = 0;
  for (const issue of issues) {
    const names = issue.code === 'unrecognized_keys' && issue.keys ? issue.keys : [null];
    const room = Math.min(names.length, MAX_FAULTS - faults.length);
    beyond += names.length - room;
    if (room > 0) faults.push(...faultsOfOne(issue, names.slice(0, room), root));
  }
  return beyond > 0 ? [...faults, moreFaults(beyond)] : faults;
}

function faultsOfOne(issue: Issue, names: readonly (string | null)[], root: string): Fault[] {
  const path = issue.path.reduce<string>(
    (so, part) =>
      typeof part === 'number' ? `${so}[${part}]` : so === '' ? String(part) : `${so}.${String(part)}`,
    root,
  );
  return names.map((name) =>
    name === null
      ? faultBy(issue, path.slice(0, 200))
      : faultAt((path === '' ? name : `${path}.${name}`).slice(0, 200), 'unknown_member'),
  );
}
