/** What a consumer's key may be given. The only list of scopes; keys and routes name these. */
export const scopes = [
  'events.pull', 'events.read', 'evidence.read', 'timeline.read', 'stats.read', 'verdicts.write', 'tasks.read', 'tasks.write', 'incidents.read', 'incidents.write',
  'datasets.read',
] as const;
export type Scope = (typeof scopes)[number];

/** What every consumer's key could do before there were scopes, and what one has that is issued without naming any. */
export const STANDARD_SCOPES: readonly Scope[] = ['events.pull', 'datasets.read'];

/** Scopes whose key pulls under the name of its consumer. */
export const PULL_SCOPES = ['events.pull', 'events.read'] as const satisfies readonly Scope[];

/** Whether a key with these scopes may make a call that any of `wanted` opens. A list may name scopes of another version, which open nothing here. */
export const opens = (held: readonly string[], wanted: readonly Scope[]): boolean => wanted.some((scope) => held.includes(scope));
