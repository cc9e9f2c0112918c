// From what the sources gave to what the agent goes by: every rule is checked again, wherever it comes from.
// Pure.
import type { RuleRecord } from '../../core/rule/record.ts';
import {
  checkBody,
  NAMES_NAME,
  type NamesBody,
  type ResponseBody,
  type RuleKind,
  ruleKinds,
  SEVERITIES_NAME,
  type SeveritiesBody,
  type ThresholdBody,
} from '../../core/rule/schema.ts';
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

export interface LoadedRules {
  /** The good ones. */
  rules: readonly RuleRecord[];
  badRules: readonly BadRule[];
  /** Rules of this store that give way to headquarters' of the same name. */
  givingWay: readonly LocalRule[];
  /** Kinds of which a rule from outside is in force. */
  outsideKinds: ReadonlySet<RuleKind>;
  tenants: ReadonlyMap<string, CompiledTenant>;
}

export const nothingLoaded: LoadedRules = {
  rules: [],
  badRules: [],
  givingWay: [],
  outsideKinds: new Set(),
  tenants: new Map(),
};
const noNames: NamesBody = { types: {}, severities: {} };
export const emptyTenant: CompiledTenant = {
  rules: [],
  thresholds: thresholdsOf(undefined),
  names: noNames,
  severities: {},
  prompts: {},
  matcher: new Matcher([]),
};

/** Of a tenant whose rules could not be read. */
export const unreadTenant: CompiledTenant = { ...emptyTenant, unread: true };

const keyOf = ({ tenantCode, kind, name }: LocalRule): string => JSON.stringify([tenantCode, kind, name]);

/**
 * @param outside rules of headquarters or of the cache, as they came
 * @param own rules of this store
 * @param served tenants that are kept; null: every one
 */
export function loadRules(
  outside: readonly unknown[],
  own: readonly unknown[],
  served: ReadonlySet<string> | null,
): LoadedRules {
  const isServed = ({ tenantCode }: { tenantCode: string | null }): boolean =>
    tenantCode === null || served === null || served.has(tenantCode);
  const [theirs, ours] = [check(outside), check(own)];
  const first = new Set(theirs.rules.map(keyOf));
  const givingWay = ours.rules
    .filter((rule) => first.has(keyOf(rule)))
    .map(({ tenantCode, kind, name }) => ({ tenantCode, kind, name }));
  const fromOutside = theirs.rules.filter(isServed);
  const rules = [...fromOutside, ...ours.rules.filter((rule) => isServed(rule) && !first.has(keyOf(rule)))];
  const tenants = new Map(
    [...Map.groupBy(rules, ({ tenantCode }) => tenantCode)].map(([tenant, of]) => [tenant, compile(of)]),
  );
  return {
    rules,
    badRules: [...theirs.badRules, ...ours.badRules].filter(isServed),
    givingWay: givingWay.filter(isServed),
    outsideKinds: new Set(fromOutside.map(({ kind }) => kind)),
    tenants,
  };
}

function check(values: readonly unknown[]): { rules: RuleRecord[]; badRules: BadRule[] } {
  const [rules, badRules]: [RuleRecord[], BadRule[]] = [[], []];
  for (const rule of values.map(checkRule)) {
    if ('why' in rule) badRules.push(rule);
    else rules.push(rule);
  }
  return { rules, badRules };
}

/**
 * A threshold that is refused leaves the old value (spec 3, "Errors"): where headquarters gives a threshold
 * rule that is not valid, the good one from before stays beside it.
 */
export function keepThresholds(before: readonly unknown[], pulled: readonly unknown[]): unknown[] {
  const refused = new Set(
    pulled
      .map(checkRule)
      .flatMap((rule) => ('why' in rule && rule.kind === 'threshold' ? [rule.tenantCode] : [])),
  );
  if (refused.size === 0) return [...pulled];
  const good = before.filter((value) => {
    const rule = checkRule(value);
    return !('why' in rule) && rule.kind === 'threshold' && refused.has(rule.tenantCode);
  });
  return [...good, ...pulled];
}

/** A rule without a tenant is bad (spec 3, "Response rule"). */
function checkRule(value: unknown): RuleRecord | BadRule {
  const { tenantCode, kind, name, version, body, by, createdAt } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Record<string, unknown>;
  const bad: BadRule = {
    tenantCode: typeof tenantCode === 'string' ? tenantCode : null,
    kind: String(kind).slice(0, 64),
    name: String(name).slice(0, 128),
    version: typeof version === 'number' ? version : null,
    why: [],
  };
  if (bad.tenantCode === null || bad.tenantCode === '') return { ...bad, why: ['tenant_code is missing'] };
  if (!isKind(kind) || typeof name !== 'string' || typeof version !== 'number')
    return { ...bad, why: ['the wrapper is not one of a rule'] };
  const result = checkBody(kind, name, body);
  if (!result.ok) return { ...bad, why: result.faults.map(({ path, message }) => `${path} ${message}`) };
  return {
    tenantCode: bad.tenantCode,
    kind,
    name,
    version,
    body: result.body,
    by: typeof by === 'string' ? by : '',
    createdAt: typeof createdAt === 'number' ? createdAt : 0,
    deleted: false,
  };
}

/**
 * The tenants as they would be with some rules more, which take the place of those of the same name. Tenants
 * that the draft does not name stay as they are.
 * @param draft checked
 */
export function withDraft(
  { rules, tenants }: Pick<LoadedRules, 'rules' | 'tenants'>,
  draft: readonly RuleRecord[],
): LoadedRules['tenants'] {
  const replaced = new Set(draft.map(keyOf));
  const drafted = Map.groupBy(draft, ({ tenantCode }) => tenantCode);
  const compiled = [...drafted].map(([tenant, of]): [string, CompiledTenant] => [
    tenant,
    compile([...rules.filter((rule) => rule.tenantCode === tenant && !replaced.has(keyOf(rule))), ...of]),
  ]);
  return new Map([...tenants, ...compiled]);
}

const isKind = (kind: unknown): kind is RuleKind => (ruleKinds as readonly unknown[]).includes(kind);

function compile(rules: readonly RuleRecord[]): CompiledTenant {
  const of = (kind: RuleKind): RuleRecord[] => rules.filter((rule) => rule.kind === kind);
  const responses = of('response').map(({ tenantCode, name, version, body }) => ({
    ...(body as ResponseBody),
    tenantCode,
    name,
    version,
  }));
  const prompts = of('prompt');
  const names = prompts.find(({ name }) => name === NAMES_NAME);
  const severities = prompts.find(({ name }) => name === SEVERITIES_NAME);
  const matcher = new Matcher(responses);
  return {
    rules: matcher.rules,
    matcher,
    thresholds: thresholdsOf(of('threshold')[0]?.body as ThresholdBody | undefined),
    names: (names?.body as NamesBody | undefined) ?? noNames,
    severities: (severities?.body as SeveritiesBody | undefined)?.types ?? {},
    prompts: Object.fromEntries(
      prompts
        .filter((rule) => rule !== names && rule !== severities)
        .map(({ name, body }) => [name, (body as { text: string }).text]),
    ),
  };
}
