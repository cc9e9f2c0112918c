// From what a source gave to what the agent goes by: every rule is checked again. Pure.
import type { RuleRecord } from '../../core/rule/record.ts';
import { checkBody, NAMES_NAME, ruleKinds, type NamesBody, type ResponseBody, type RuleKind, type ThresholdBody } from '../../core/rule/schema.ts';
import type { CompiledTenant } from './choose.ts';
import { Matcher } from './match.ts';
import { thresholdsOf } from './record.ts';

export interface BadRule {
  tenantCode: string | null;
  kind: string;
  name: string;
  version: number | null;
  why: string[];
}

export interface LocalRule {
  tenantCode: string;
  kind: RuleKind;
  name: string;
}

export interface Loaded {
  /** The good ones. */
  rules: readonly RuleRecord[];
  badRules: readonly BadRule[];
  /** Rules of this store that give way to headquarters' of the same name. */
  givingWay: readonly LocalRule[];
  tenants: ReadonlyMap<string, CompiledTenant>;
}

export const nothingLoaded: Loaded = { rules: [], badRules: [], givingWay: [], tenants: new Map() };
const noNames: NamesBody = { types: {}, severities: {} };
export const emptyTenant: CompiledTenant = { rules: [], thresholds: thresholdsOf(undefined), names: noNames, prompts: {}, matcher: new Matcher([]) };

const keyOf = ({ tenantCode, kind, name }: LocalRule): string => JSON.stringify([tenantCode, kind, name]);

/**
 * @param outside rules of headquarters or of the cache, as they came
 * @param own rules of this store
 * @param served tenants that are kept; null: every one
 */
export function load(outside: readonly unknown[], own: readonly RuleRecord[], served: ReadonlySet<string> | null): Loaded {
  const badRules: BadRule[] = [];
  const checked = outside.flatMap((one) => {
    const rule = checkRule(one);
    if ('why' in rule) badRules.push(rule);
    return 'why' in rule ? [] : [rule];
  });
  const first = new Set(checked.map(keyOf));
  const givingWay = own.filter((rule) => first.has(keyOf(rule))).map(({ tenantCode, kind, name }) => ({ tenantCode, kind, name }));
  const rules = [...checked, ...own.filter((rule) => !first.has(keyOf(rule)))].filter(({ tenantCode }) => served === null || served.has(tenantCode));
  const tenants = new Map([...Map.groupBy(rules, ({ tenantCode }) => tenantCode)].map(([tenant, of]) => [tenant, compile(of)]));
  return { rules, badRules: badRules.filter(({ tenantCode }) => tenantCode === null || served === null || served.has(tenantCode)), givingWay, tenants };
}

/** A rule without a tenant is bad (spec 3, "Response rule"). */
function checkRule(value: unknown): RuleRecord | BadRule {
  const { tenantCode, kind, name, version, body, by, createdAt } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const bad: BadRule = {
    tenantCode: typeof tenantCode === 'string' ? tenantCode : null, kind: String(kind).slice(0, 64), name: String(name).slice(0, 128),
    version: typeof version === 'number' ? version : null, why: [],
  };
  if (bad.tenantCode === null || bad.tenantCode === '') return { ...bad, why: ['tenant_code is missing'] };
  if (!isKind(kind) || typeof name !== 'string' || typeof version !== 'number') return { ...bad, why: ['the wrapper is not one of a rule'] };
  const result = checkBody(kind, name, body);
  if (!result.ok) return { ...bad, why: result.faults.map(({ path, message }) => `${path} ${message}`) };
  return { tenantCode: bad.tenantCode, kind, name, version, body: result.body, by: typeof by === 'string' ? by : '', createdAt: typeof createdAt === 'number' ? createdAt : 0 };
}

const isKind = (kind: unknown): kind is RuleKind => (ruleKinds as readonly unknown[]).includes(kind);

function compile(rules: readonly RuleRecord[]): CompiledTenant {
  const of = (kind: RuleKind): RuleRecord[] => rules.filter((rule) => rule.kind === kind);
  const responses = of('response').map(({ tenantCode, name, version, body }) => ({ ...(body as ResponseBody), tenantCode, name, version }));
  const prompts = of('prompt');
  const names = prompts.find(({ name }) => name === NAMES_NAME);
  const matcher = new Matcher(responses);
  return {
    rules: matcher.rules, matcher, thresholds: thresholdsOf(of('threshold')[0]?.body as ThresholdBody | undefined),
    names: (names?.body as NamesBody | undefined) ?? noNames,
    prompts: Object.fromEntries(prompts.filter((rule) => rule !== names).map(({ name, body }) => [name, (body as { text: string }).text])),
  };
}
