// What becomes of recorded events by two sets of rules, one beside the other. Pure but for what it counts.
import { type EventRecord, readDoc } from '../../core/event/record.ts';
import { previewDecision } from '../act/decide.ts';
import type { RuleChoice } from '../act/record.ts';
import { chooseRule } from './choose.ts';
import { Cooldowns } from './cooldowns.ts';
import { emptyTenant, type LoadedRules } from './load.ts';
import { agentEventOf } from './record.ts';

/** `observed`: an observation that no rule asks for; no task. */
export type FateOutcome = 'task' | 'suppressed' | 'observed';

/** What becomes of one event. */
export interface Fate extends Pick<
  RuleChoice,
  | 'ruleName'
  | 'ruleVersion'
  | 'kind'
  | 'severity'
  | 'channels'
  | 'assigneeOrg'
  | 'dueMinutes'
  | 'message'
  | 'judgedBelow'
> {
  outcome: FateOutcome;
}

/** Events by what becomes of them; all but `told` make up their number. */
export interface Fates {
  notify: number;
  dispatch: number;
  review: number;
  /** Within the cooldown of an earlier one. */
  suppressed: number;
  observed: number;
  /** Of which somebody is told by a channel or in the inbox. */
  told: number;
}

export interface RuleCount {
  tenantCode: string;
  /** null: no rule matched. */
  name: string | null;
  /** It is in the draft. */
  draft: boolean;
  before: number;
  after: number;
}

export interface Example {
  event: EventRecord;
  changed: boolean;
  before: Fate;
  after: Fate;
}

/** Examples of one kind: the same rule before, and the same after. */
const ALIKE = 5;
const EXAMPLES = 50;

export class Comparison {
  #before: Player;
  #after: Player;
  #isDraft: (tenantCode: string, name: string | null) => boolean;
  #rules = new Map<string, RuleCount>();
  #examples = new Map<string, Example[]>();
  #changed = 0;

  constructor(
    before: LoadedRules['tenants'],
    after: LoadedRules['tenants'],
    isDraft: (tenantCode: string, name: string | null) => boolean,
  ) {
    this.#before = new Player(before);
    this.#after = new Player(after);
    this.#isDraft = isDraft;
  }

  /** To be called in the order in which the events came. @param event as `asItCame` makes it */
  add(event: EventRecord): void {
    const [before, after] = [this.#before.play(event), this.#after.play(event)];
    this.#count(event.tenantCode, before.ruleName).before += 1;
    const count = this.#count(event.tenantCode, after.ruleName);
    count.after += 1;
    const changed = isOtherwise(before, after);
    if (changed) this.#changed += 1;
    if (changed || count.draft) this.#keep({ event, changed, before, after });
  }

  /** A rule that decides nothing is counted as well. */
  include(tenantCode: string, name: string): void {
    this.#count(tenantCode, name);
  }

  result(): { changed: number; before: Fates; after: Fates; rules: RuleCount[]; examples: Example[] } {
    return {
      changed: this.#changed,
      before: this.#before.fates,
      after: this.#after.fates,
      rules: [...this.#rules.values()].sort((a, b) => b.after - a.after || b.before - a.before),
      examples: [...this.#examples.values()]
        .flat()
        .sort((a, b) => Number(b.changed) - Number(a.changed) || b.event.id - a.event.id)
        .slice(0, EXAMPLES),
    };
  }

  #count(tenantCode: string, name: string | null): RuleCount {
    const key = JSON.stringify([tenantCode, name]);
    const known = this.#rules.get(key) ?? {
      tenantCode,
      name,
      draft: this.#isDraft(tenantCode, name),
      before: 0,
      after: 0,
    };
    this.#rules.set(key, known);
    return known;
  }

  #keep(example: Example): void {
    const { event, before, after, changed } = example;
    const key = JSON.stringify([event.tenantCode, before.ruleName, after.ruleName, changed]);
    const alike = this.#examples.get(key) ?? [];
    // The newest of them stay.
    this.#examples.set(key, [...alike.slice(-(ALIKE - 1)), example]);
  }
}

/** One set of rules at work. */
class Player {
  readonly fates: Fates = { notify: 0, dispatch: 0, review: 0, suppressed: 0, observed: 0, told: 0 };
  #tenants: LoadedRules['tenants'];
  #cooldowns = new Cooldowns();

  constructor(tenants: LoadedRules['tenants']) {
    this.#tenants = tenants;
  }

  play(event: EventRecord): Fate {
    const tenant = this.#tenants.get(event.tenantCode) ?? emptyTenant;
    const preview = previewDecision(event, chooseRule(tenant, agentEventOf(event)));
    const suppressed = this.#cooldowns.suppressedBy(event, preview, cameAt(event)) !== null;
    const outcome = suppressed ? 'suppressed' : preview.makesTask ? 'task' : 'observed';
    const { ruleName, ruleVersion, kind, severity, assigneeOrg, dueMinutes, message, judgedBelow } =
      preview.choice;
    const channels = suppressed ? [] : preview.choice.channels;
    this.fates[outcome === 'task' ? kind : outcome] += 1;
    if (channels.length > 0) this.fates.told += 1;
    return {
      ruleName,
      ruleVersion,
      outcome,
      kind,
      severity,
      channels,
      assigneeOrg,
      dueMinutes,
      message,
      judgedBelow,
    };
  }
}

/** By another rule, or to another effect; another version alone is no difference. */
const isOtherwise = (before: Fate, after: Fate): boolean =>
  JSON.stringify({ ...before, ruleVersion: null }) !== JSON.stringify({ ...after, ruleVersion: null });

/** When it came to the agent that looked at it, epoch ms. */
export const cameAt = ({ originReceivedAt, receivedAt }: EventRecord): number =>
  originReceivedAt ?? receivedAt;

/**
 * An event as the rules saw it when it came: before any verdict, and with no more of its document than they
 * look at.
 */
export function asItCame(event: EventRecord): EventRecord {
  const { siteRef, cameraRef, cameraName, judged } = readDoc(event);
  return {
    ...event,
    verdict: null,
    correctedTo: null,
    doc: JSON.stringify({
      siteRef,
      cameraRef,
      cameraName,
      ...(judged && { judged: { confidence: judged.confidence } }),
    }),
  };
}
