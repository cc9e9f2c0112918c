// Pure decisions of the agent: 500 rules for each of 64 tenants.
import { chooseRule } from '../../common/agent/rule-set/choose.ts';
import { loadRules } from '../../common/agent/rule-set/load.ts';
import type { AgentEvent } from '../../common/agent/rule-set/record.ts';
import { atLeast, type Row } from './table.ts';

const TENANTS = 64;
const RULES = 500;
const DECISIONS = 400_000;
const T0 = Date.UTC(2026, 2, 1);

const typeOf = (index: number): string => `area${index % 40}.kind${index % 200}`;
const severities = ['low', 'medium', 'high', 'critical'] as const;

/** Rules that differ in every condition; the last one takes what is left. */
function rulesOf(tenantCode: string): object[] {
  return Array.from({ length: RULES }, (_, index) => ({
    tenantCode,
    kind: 'response',
    name: `rule-${index}`,
    version: 1,
    body: {
      priority: index * 10,
      match:
        index === RULES - 1
          ? {}
          : {
              event_types: index % 5 === 0 ? [`area${index % 40}.*`] : [typeOf(index)],
              min_severity: severities[index % 4],
              hours: [(index * 7) % 24, (index * 7 + 9) % 24],
              ...(index % 3 === 0 ? { site_refs: [`site-${index % 10}`] } : {}),
              ...(index % 7 === 0 ? { camera_refs: [`cam-${index % 30}`] } : {}),
            },
      action: {
        kind: 'notify',
        channels: ['inbox'],
        cooldown_s: 60,
        message: '{camera} {type} {severity} {time} {event_id}',
      },
    },
  }));
}

const eventOf = (index: number): AgentEvent => ({
  id: index,
  tenantCode: `tenant-${index % TENANTS}`,
  type: typeOf(index * 31),
  kind: 'alert',
  source: 'video',
  severity: severities[(index * 13) % 4] ?? null,
  isTest: false,
  occurredAt: T0 + index * 61_000,
  receivedAt: T0,
  siteRef: `site-${index % 10}`,
  cameraRef: `cam-${index % 30}`,
  cameraName: null,
  pointRef: null,
  confidence: null,
});

export function measureRules(): Promise<Row[]> {
  const { tenants, badRules } = loadRules(
    Array.from({ length: TENANTS }, (_, index) => rulesOf(`tenant-${index}`)).flat(),
    [],
    null,
  );
  if (badRules.length > 0)
    throw new Error(`the rules of the measurement are not valid: ${JSON.stringify(badRules[0])}`);
  const events = Array.from({ length: 20_000 }, (_, index) => eventOf(index));
  let matched = 0;
  const started = performance.now();
  for (let index = 0; index < DECISIONS; index += 1) {
    const event = events[index % events.length] as AgentEvent;
    const tenant = tenants.get(event.tenantCode);
    if (tenant && chooseRule(tenant, event).ruleName !== null) matched += 1;
  }
  const rate = (DECISIONS * 1000) / (performance.now() - started);
  if (matched !== DECISIONS) throw new Error(`${DECISIONS - matched} events fell under no rule`);
  return Promise.resolve([
    atLeast(`${RULES} rules for each of ${TENANTS} tenants`, rate, 20_000, 'decisions'),
  ]);
}
