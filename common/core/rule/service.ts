import { type Clock, stampOf } from '../../clock.ts';
import type { Actor } from '../../http/actor.ts';
import { badRequest, forbidden, notFound } from '../../http/error.ts';
import { differences, type RuleDifference } from './decide.ts';
import type { RuleFilter, RulePort, RulePosition } from './port.ts';
import type { RuleRecord } from './record.ts';
import { fault } from './rule-fault-messages.ts';
import { checkBody, type RegisterInput, type RuleKind } from './schema.ts';

export interface RuleServiceOptions {
  rules: RulePort;
  clock: Clock;
  /** Called when a rule was registered, before the answer. */
  onRegistered?: (() => Promise<void>) | undefined;
}

export class RuleService {
  readonly #options: RuleServiceOptions;

  constructor(options: RuleServiceOptions) {
    this.#options = options;
  }

  /**
   * The body as it would be kept. @throws AppError 400 with every fault of wrapper and body; 403 for another
   * tenant than the caller's
   */
  checked(input: RegisterInput, caller: Actor): object {
    if (caller.tenantCode !== null && input.tenant_code !== caller.tenantCode)
      throw forbidden('You may register rules for your own tenant only.');
    const checked = checkBody(input.kind, input.name, input.body);
    if (!checked.ok) throw badRequest(checked.faults);
    return checked.body;
  }

  /** @throws AppError as `checked` */
  async register(input: RegisterInput, caller: Actor, actor: string): Promise<RuleRecord> {
    const rule = {
      tenantCode: input.tenant_code,
      kind: input.kind,
      name: input.name,
      body: this.checked(input, caller),
      by: input.by ?? caller.name,
    };
    const registered = await this.#options.rules.register(rule, actor, stampOf(this.#options.clock));
    await this.#options.onRegistered?.();
    return registered;
  }

  /** @throws AppError 404 when no such rule is in force */
  async remove(
    rule: { tenantCode: string; kind: RuleKind; name: string },
    by: string,
    actor: string,
  ): Promise<RuleRecord> {
    const removed = await this.#options.rules.remove({ ...rule, by }, actor, stampOf(this.#options.clock));
    if (!removed) throw notFound(`The ${rule.kind} rule`);
    await this.#options.onRegistered?.();
    return removed;
  }

  revision(filter: RuleFilter): Promise<number> {
    return this.#options.rules.revision(filter);
  }

  current(filter: RuleFilter, after: RulePosition | null, limit: number): Promise<RuleRecord[]> {
    return this.#options.rules.current(filter, after, limit);
  }

  /** Newest first. @throws AppError 404 when there is no such rule */
  async history(
    rule: { tenantCode: string; kind: RuleKind; name: string },
    before: number | null,
    limit: number,
  ): Promise<RuleRecord[]> {
    const found = await this.#options.rules.history(rule.tenantCode, rule.kind, rule.name, before, limit);
    if (found.length === 0 && before === null) throw notFound(`The ${rule.kind} rule`);
    return found;
  }

  /**
   * What changed from one version to another. @throws AppError 400 for a version that there is not, 404 when
   * there is no such rule
   */
  async difference(
    rule: { tenantCode: string; kind: RuleKind; name: string },
    from: number,
    to: number,
  ): Promise<RuleDifference[]> {
    const [before, after] = [await this.#version(rule, from, 'from'), await this.#version(rule, to, 'to')];
    return differences(before.body, after.body);
  }

  async #version(
    rule: { tenantCode: string; kind: RuleKind; name: string },
    version: number,
    path: string,
  ): Promise<RuleRecord> {
    const [found] = await this.history(rule, null, 1);
    const [wanted] = await this.#options.rules.history(rule.tenantCode, rule.kind, rule.name, version + 1, 1);
    if (wanted?.version !== version) throw fault(path, 'rule_version', { newest: found?.version ?? 1 });
    return wanted;
  }
}
