import * as z from 'zod/mini';
import { upTo } from '../../characters.ts';
import { described } from '../../http/described.ts';
import { type Fault } from '../../http/fault/fault.ts';
import { faultsOf } from '../../http/validate.ts';
import { code, severities, tenantCode } from '../event/schema.ts';
import { typePattern } from '../subscription/schema.ts';
import { faultAt, saying } from './rule-fault-messages.ts';

/** The wire form of rules (spec 3, "Response rule", "Threshold rule"; DESIGN.md, "Rules"). */

export const ruleKinds = ['response', 'threshold', 'prompt', 'model_ledger'] as const;
export type RuleKind = (typeof ruleKinds)[number];

const actionKinds = ['notify', 'dispatch', 'review'] as const;
const ruleChannels = ['chat', 'sms', 'inbox'] as const;
export type RuleChannel = (typeof ruleChannels)[number];

/** The only name that a threshold rule may have; one a tenant. */
const THRESHOLD_NAME = 'threshold.agent';
/** A prompt of this name holds the tenant's own names of types and levels for messages. */
export const NAMES_NAME = 'names.agent';
/** A prompt of this name holds how grave types of events are, where their sender does not say. */
export const SEVERITIES_NAME = 'severities.agent';

/** What `{…}` in a message may stand for (spec 3, "Template placeholders"). */
export const placeholders = [
  'camera',
  'camera_ref',
  'type',
  'type_code',
  'severity',
  'severity_code',
  'site',
  'time',
  'event_id',
] as const;
export type Placeholder = (typeof placeholders)[number];

function unknownPlaceholders(message: string): string[] {
  const named = [...message.matchAll(/\{([^{}]*)\}/g)].map((found) => found[1] as string);
  return named.filter((name) => !(placeholders as readonly string[]).includes(name));
}

const hour = z.number().check(z.minimum(0), z.maximum(24));
const DAY_S = 86_400;

const matchInput = z
  .strictObject({
    event_types: z.optional(z.array(typePattern).check(z.minLength(1), z.maxLength(200))),
    min_severity: z.optional(z.enum(severities)),
    hours: z.optional(
      z.tuple([hour, hour]).check(z.refine(([from, to]) => from !== to && from < 24, saying('rule_hours'))),
    ),
    tz_offset_min: z.optional(z.int().check(z.minimum(-840), z.maximum(840))),
    site_refs: z.optional(z.array(code(128)).check(z.minLength(1), z.maxLength(500))),
    camera_refs: z.optional(z.array(code(128)).check(z.minLength(1), z.maxLength(2000))),
  })
  .register(described, { id: 'RuleMatch' });

const message = z.string().check(
  z.minLength(1),
  upTo(2000),
  z.refine(
    (text) => unknownPlaceholders(text).length === 0,
    saying('placeholders_only', { names: placeholders.map((name) => `{${name}}`).join(' ') }),
  ),
);

const actionInput = z
  .strictObject({
    kind: z._default(z.enum(actionKinds), 'review'),
    severity: z.optional(z.enum(severities)),
    // Other channels are dropped, not refused (spec 3, "Action").
    channels: z.optional(
      z.pipe(z.array(z.string().check(z.maxLength(64))).check(z.maxLength(20)), z.transform(knownChannels)),
    ),
    assignee_org: z.optional(code(128)),
    due_minutes: z.optional(z.int().check(z.minimum(1), z.maximum(43_200))),
    cooldown_s: z._default(z.int().check(z.minimum(0), z.maximum(30 * DAY_S)), 0),
    llm: z._default(z.boolean(), true),
    message: z.optional(message),
  })
  .register(described, { id: 'RuleAction' });

function knownChannels(names: string[]): RuleChannel[] {
  return ruleChannels.filter((name) => names.includes(name));
}

export const responseBody = z
  .strictObject({
    priority: z._default(z.int().check(z.minimum(-1_000_000), z.maximum(1_000_000)), 100),
    enabled: z._default(z.boolean(), true),
    match: z._default(matchInput, {}),
    action: z._default(actionInput, { kind: 'review', cooldown_s: 0, llm: true }),
  })
  .register(described, { id: 'ResponseRule' });
export type ResponseBody = z.infer<typeof responseBody>;

/** Spec 3, "Threshold rule": what each may be. */
export const thresholdRanges = {
  judge_min_conf: { minimum: 0, maximum: 1, whole: false, unit: null },
  traj_min_link: { minimum: 0, maximum: 1, whole: false, unit: null },
  traj_link_gap_s: { minimum: 1, maximum: DAY_S, whole: true, unit: 's' },
  traj_same_cam_gap_s: { minimum: 1, maximum: DAY_S, whole: true, unit: 's' },
  escalate_grace_s: { minimum: -DAY_S, maximum: 7 * DAY_S, whole: true, unit: 's' },
} as const;
export type ThresholdName = keyof typeof thresholdRanges;

const within = (name: ThresholdName) => {
  const { minimum, maximum, whole } = thresholdRanges[name];
  return z.optional((whole ? z.int() : z.number()).check(z.minimum(minimum), z.maximum(maximum)));
};

/** Every field is optional: only those that are to change are registered. */
const thresholdBody = z
  .strictObject({
    judge_min_conf: within('judge_min_conf'),
    traj_min_link: within('traj_min_link'),
    traj_link_gap_s: within('traj_link_gap_s'),
    traj_same_cam_gap_s: within('traj_same_cam_gap_s'),
    escalate_grace_s: within('escalate_grace_s'),
  })
  .register(described, { id: 'ThresholdRule' });
export type ThresholdBody = z.infer<typeof thresholdBody>;

const label = z.string().check(z.minLength(1), z.maxLength(64));
const namesBody = z
  .strictObject({
    types: z._default(z.record(z.string().check(z.maxLength(128)), label), {}),
    severities: z._default(z.partialRecord(z.enum(severities), label), {}),
  })
  .register(described, { id: 'NamesRule' });
export type NamesBody = z.infer<typeof namesBody>;
const severitiesBody = z
  .strictObject({ types: z.record(typePattern, z.enum(severities)) })
  .register(described, { id: 'SeveritiesRule' });
export type SeveritiesBody = z.infer<typeof severitiesBody>;
const promptBody = z
  .strictObject({
    text: z.string().check(z.minLength(1), z.maxLength(20_000)),
    note: z.optional(z.string().check(z.maxLength(1000))),
  })
  .register(described, { id: 'PromptRule' });
const ledgerBody = z
  .strictObject({
    models: z
      .array(
        z.strictObject({
          name: code(128),
          version: code(128),
          purpose: z.optional(z.string().check(z.maxLength(500))),
          basis_version: z.optional(code(128)),
          note: z.optional(z.string().check(z.maxLength(1000))),
        }),
      )
      .check(z.minLength(1), z.maxLength(200)),
  })
  .register(described, { id: 'ModelLedgerRule' });

/**
 * Wrapper of a registration with its body, whose form depends on kind and name: the faults of both are told
 * at once.
 */
export const registerInput = z
  .strictObject({
    tenant_code: tenantCode,
    name: code(128),
    kind: z.enum(ruleKinds),
    body: z.record(z.string(), z.unknown()),
    by: z.optional(code(128)),
  })
  .check(
    z.check(
      ({ value: { kind, name, body }, issues }) => {
        const checked =
          ruleKinds.includes(kind) && typeof body === 'object' ? checkBody(kind, String(name), body) : null;
        if (checked?.ok === false)
          for (const fault of checked.faults)
            issues.push({ code: 'custom', path: [fault.path], message: fault.message, fault, input: body });
      },
      { when: ({ value }) => typeof value === 'object' && value !== null },
    ),
  )
  .register(described, { id: 'NewRule' });
export type RegisterInput = z.infer<typeof registerInput>;

/** The documented shapes of a body. */
export const anyBody = z.union([
  responseBody,
  thresholdBody,
  namesBody,
  severitiesBody,
  promptBody,
  ledgerBody,
]);

export type CheckedBody = { ok: true; body: object } | { ok: false; faults: Fault[] };

/** Checks the body of a rule, with defaults filled in; lists every fault under `body`. Pure. */
export function checkBody(kind: RuleKind, name: string, body: unknown): CheckedBody {
  const faults: Fault[] = [];
  if (kind === 'threshold' && name !== THRESHOLD_NAME)
    faults.push(faultAt('name', 'threshold_name', { name: THRESHOLD_NAME }));
  const parsed = schemaOf(kind, name).safeParse(body);
  if (!parsed.success)
    faults.push(
      ...faultsOf(parsed.error.issues).map(({ path, ...said }) => ({
        path: path === '' ? 'body' : `body.${path}`,
        ...said,
      })),
    );
  if (parsed.success && kind === 'threshold' && Object.keys(parsed.data as object).length === 0)
    faults.push(faultAt('body', 'threshold_nothing'));
  return faults.length > 0 || !parsed.success
    ? { ok: false, faults }
    : { ok: true, body: parsed.data as object };
}

/** Prompts that the agent itself reads. */
const promptBodies: Readonly<Record<string, z.ZodMiniType>> = {
  [NAMES_NAME]: namesBody,
  [SEVERITIES_NAME]: severitiesBody,
};

function schemaOf(kind: RuleKind, name: string): z.ZodMiniType {
  switch (kind) {
    case 'response':
      return responseBody;
    case 'threshold':
      return thresholdBody;
    case 'prompt':
      return promptBodies[name] ?? promptBody;
    case 'model_ledger':
      return ledgerBody;
  }
}
