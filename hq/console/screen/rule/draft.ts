// A rule as it is being written, before the hub has taken it. Pure.
import type { Rule } from './queries.ts';

export type Body = Readonly<Record<string, unknown>>;

/** What the dialog begins with. */
export interface Beginning {
  tenantCode: string;
  kind: Rule['kind'];
  name: string;
  body: Body;
  /** Of which version the body is; absent: it leaves out what stays as it is. */
  version?: number;
}

/** As it is posted. */
export interface Draft {
  tenant_code: string;
  kind: Rule['kind'];
  name: string;
  body: Record<string, unknown>;
}

export const THRESHOLDS = 'threshold.agent';

/** What a new rule of a kind begins with. */
export const samples: Readonly<Record<Rule['kind'], Body>> = {
  response: {
    priority: 100,
    enabled: true,
    match: { event_types: ['vehicle.*'], min_severity: 'high' },
    action: { kind: 'notify', channels: ['inbox'], due_minutes: 30 },
  },
  threshold: {},
  prompt: { text: '' },
  model_ledger: { models: [{ name: '', version: '' }] },
};

export type Read = { body: Record<string, unknown> } | { line: number | null };

/** @returns where it is no JSON object, if the browser says so */
export function readBody(text: string): Read {
  try {
    const parsed: unknown = JSON.parse(text);
    return isBody(parsed) ? { body: parsed } : { line: null };
  } catch (error) {
    const [, position] = /position (\d+)/.exec((error as Error).message) ?? [];
    return {
      line: position === undefined ? text.split('\n').length : lineAt(text, Number(position)),
    };
  }
}

const isBody = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length;

export const textOf = (body: Body): string => JSON.stringify(body, null, 2);

export function valueAt(body: Body, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isBody(at) ? at[name] : undefined), body);
}

/** The body with one member changed; undefined, or nothing left in it, takes it out. */
export function withValue(body: Body, [name = '', ...rest]: readonly string[], value: unknown): Body {
  const inner = body[name];
  const next = rest.length === 0 ? value : withValue(isBody(inner) ? inner : {}, rest, value);
  const { [name]: _, ...others } = body;
  return next === undefined ? others : { ...body, [name]: next };
}

/** The line on which the member of a path (`body.match.hours[0]`) stands; null: it is not there. */
export function lineOf(text: string, path: string): number | null {
  let at = 0;
  for (const name of path.split('.').slice(1)) {
    at = keyAfter(text, JSON.stringify(name.replace(/\[\d+\]/g, '')), at);
    if (at < 0) return null;
  }
  return at === 0 ? null : lineAt(text, at);
}

/** Where a name stands that a colon follows; -1: nowhere. */
function keyAfter(text: string, key: string, from: number): number {
  for (let at = text.indexOf(key, from); at >= 0; at = text.indexOf(key, at + 1))
    if (/^\s*:/.test(text.slice(at + key.length, at + key.length + 20))) return at;
  return -1;
}
