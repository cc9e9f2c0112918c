import type { Catalogue } from '../../message.ts';
import { LoopAlarms, loopMetrics } from '../alarm/loop-alarms.ts';
import { alarmMetrics } from '../alarm/metrics.ts';
import { alarmRoutes } from '../alarm/routes.ts';
import { auditRoutes } from '../audit/routes.ts';
import { LeftOutAlarms } from '../left-out/alarms.ts';
import { modelCallMetrics, modelCallRoutes } from '../model-call/routes.ts';
import { notificationRoutes } from '../notification/routes.ts';
import { ruleRoutes } from '../rule/routes.ts';
import { RuleService } from '../rule/service.ts';
import { secretRoutes } from '../secret/routes.ts';
import { SecretService } from '../secret/service.ts';
import { type CoreBase, type CorePart, type CoreSecrets } from './part.ts';

export interface AdministrationOptions {
  /** Sentences of the alarms of this program. */
  messages: Catalogue;
  /** Called when a rule was registered, before the answer. */
  onRule?: () => Promise<void>;
  /** Tenants of a site that reads its rules here; null where no sites call. */
  tenantsOfSite: ((instance: string) => Promise<readonly string[]>) | null;
}

/** What administrators look after: alarms, audit, notifications, secrets and rules. */
export function createAdministration(
  { stores, clock, log, instance, names }: CoreBase,
  secrets: CoreSecrets,
  { messages, onRule, tenantsOfSite }: AdministrationOptions,
): CorePart {
  const loopAlarms = new LoopAlarms({ alarms: stores.alarms, instance, clock, log });
  const leftOut = new LeftOutAlarms({ rows: stores.leftOut, alarms: stores.alarms, instance, clock, log });
  const rules = new RuleService({ rules: stores.rules, clock, onRegistered: onRule });
  const secretService = new SecretService({
    secrets: stores.secrets,
    secretResolver: secrets.resolver,
    clock,
  });
  return {
    routes: [
      ...alarmRoutes({
        messages,
        ...{ alarms: stores.alarms, audit: stores.audit },
        clock,
        self: instance,
        names,
      }),
      ...auditRoutes(stores.audit),
      ...modelCallRoutes(stores.modelCalls, clock),
      ...notificationRoutes(stores.notifications),
      ...secretRoutes(secretService),
      ...ruleRoutes(rules, { epoch: () => stores.epoch(), tenantsOfSite }),
    ],
    metrics: [
      ...alarmMetrics(stores.alarms, instance),
      ...loopMetrics(),
      ...leftOut.metrics,
      ...modelCallMetrics(stores.modelCalls, clock),
    ],
    start: () => {
      loopAlarms.start();
      leftOut.loop.start();
    },
    stop: async () => {
      await leftOut.loop.stop();
      await loopAlarms.stop();
    },
  };
}
