// What the agent reads and writes around one event, within an open transaction.
import { and, desc, eq } from 'drizzle-orm';
import { cooldownKey, decideHandle } from '../../../../common/agent/act/decide.ts';
import { withTask } from '../../../../common/agent/act/notify.ts';
import type {
  CooldownKey,
  CooldownRecord,
  DecisionRecord,
  HandleEvent,
  HandleOutcome,
  HandleWrites,
} from '../../../../common/agent/act/record.ts';
import { chainKeys } from '../../../../common/agent/grouping/decide.ts';
import type { ChainRecord } from '../../../../common/agent/grouping/record.ts';
import type { Stamp } from '../../../../common/clock.ts';
import type { EventRecord } from '../../../../common/core/event/record.ts';
import type { Tx } from '../../engine/database.ts';
import { agentChains, agentCooldowns, agentDeadlines, agentDecisions } from '../../schema/tables.ts';
import { enabledChannels } from '../channel.ts';
import { addNotifications } from '../notification.ts';
import { createTask } from '../task/rows.ts';
import { readEvent } from '../verdict/judged-event.ts';

/** Newest chains with one key that an event is compared with. */
const CHAINS_SEEN = 3;

export async function handleEvent(
  tx: Tx,
  command: HandleEvent,
  steadyAt: number,
  stamp: Stamp,
): Promise<HandleOutcome> {
  const event = await readEvent(tx, command.eventId);
  const key = event && cooldownKey(event, command.choice);
  const { outcome, writes } = decideHandle(
    {
      event,
      prior: await decisionOf(tx, command.eventId),
      cooldown: key && (await cooldownOf(tx, key)),
      channels: event ? await enabledChannels(tx, event.tenantCode) : [],
      chains: event ? await chainsOf(tx, event) : [],
    },
    command,
    steadyAt,
    stamp,
  );
  if (!writes || outcome.kind !== 'decided') return outcome;
  return { ...outcome, decision: await write(tx, writes, stamp) };
}

async function write(tx: Tx, decided: HandleWrites, stamp: Stamp): Promise<DecisionRecord> {
  const made = decided.task && (await createTask(tx, decided.task, stamp));
  if (made && made.kind !== 'created')
    throw new Error('the event of a task that the agent makes is of another tenant');
  const { decision, cooldown, deadline, notifications, chains } = withTask(
    decided,
    made?.detail.task.id ?? null,
  );
  await tx.db.insert(agentDecisions).values(decision);
  if (cooldown) {
    const target = [
      agentCooldowns.tenantCode,
      agentCooldowns.camera,
      agentCooldowns.eventType,
      agentCooldowns.ruleName,
      agentCooldowns.isTest,
    ];
    await tx.db.insert(agentCooldowns).values(cooldown).onConflictDoUpdate({ target, set: cooldown });
  }
  if (deadline) await tx.db.insert(agentDeadlines).values(deadline);
  await addNotifications(tx, notifications, stamp.now);
  for (const chain of chains) {
    await tx.db
      .insert(agentChains)
      .values(chain)
      .onConflictDoUpdate({ target: [agentChains.tenantCode, agentChains.sourceKey], set: chain });
  }
  return decision;
}

const decisionOf = async (tx: Tx, eventId: number): Promise<DecisionRecord | null> =>
  (await tx.db.select().from(agentDecisions).where(eq(agentDecisions.eventId, eventId)))[0] ?? null;

async function cooldownOf(tx: Tx, key: CooldownKey): Promise<CooldownRecord | null> {
  const [row = null] = await tx.db
    .select()
    .from(agentCooldowns)
    .where(
      and(
        eq(agentCooldowns.tenantCode, key.tenantCode),
        eq(agentCooldowns.camera, key.camera),
        eq(agentCooldowns.eventType, key.eventType),
        eq(agentCooldowns.ruleName, key.ruleName),
        eq(agentCooldowns.isTest, key.isTest),
      ),
    );
  return row;
}

async function chainsOf(tx: Tx, event: EventRecord): Promise<ChainRecord[]> {
  const found: ChainRecord[] = [];
  for (const { tenantCode, layer, chainKey } of chainKeys(event)) {
    found.push(
      ...(await tx.db
        .select()
        .from(agentChains)
        .where(
          and(
            eq(agentChains.tenantCode, tenantCode),
            eq(agentChains.layer, layer),
            eq(agentChains.chainKey, chainKey),
          ),
        )
        .orderBy(desc(agentChains.lastAt), desc(agentChains.sourceKey))
        .limit(CHAINS_SEEN)),
    );
  }
  return found;
}
