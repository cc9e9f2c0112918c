// Incident groups on Postgres. Writers of one tenant and layer take turns under an advisory lock, since a
// decision rests on several groups and on which of them has an event: row locks alone would leave gaps.
import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type pg from 'pg';
import type { Stamp } from '../../../../common/clock.ts';
import { decideConfirm, decideUpsert } from '../../../../common/core/incident/decide.ts';
import { decideForget } from '../../../../common/core/incident/forget.ts';
import { decideMerge, decideUnmerge } from '../../../../common/core/incident/merge.ts';
import type { IncidentPort } from '../../../../common/core/incident/port.ts';
import type {
  ConfirmOutcome,
  ForgetOutcome,
  IncidentCommand,
  IncidentDetail,
  IncidentFilter,
  IncidentRecord,
  MergeIncidents,
  MergeOutcome,
  SplitIncident,
  SplitOutcome,
  UnmergeOutcome,
  UpsertIncident,
  UpsertOutcome,
  WholeIncident,
} from '../../../../common/core/incident/record.ts';
import { decideSplit } from '../../../../common/core/incident/split.ts';
import type { GroupOrderBody } from '../../../../common/uplink/group-order.ts';
import type { Database, Db, Tx } from '../../engine/database.ts';
import { incidentMembers as members, incidents } from '../../schema/tables.ts';
import { listIncidents } from './list.ts';
import { lockLayer, lockLayerOf } from './lock.ts';
import { eventsForMembers, eventsOf, holdersOf, otherLayersOf } from './member.ts';
import { carryOutOrOrder, eventKeys, named, ordersOfGroup } from './order.ts';
import {
  applyPlan,
  endOf,
  incidentsWithMembers,
  nextIncidentId,
  pathOf,
  pathsOf,
  readIncident,
  rowsOf,
} from './rows.ts';

export class HubIncidents implements IncidentPort {
  #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  upsert(command: UpsertIncident, stamp: Stamp): Promise<UpsertOutcome> {
    return this.#database.transaction((tx) => upsert(tx, command, stamp));
  }

  confirm(command: IncidentCommand, stamp: Stamp): Promise<ConfirmOutcome> {
    return this.#database.transaction(async (tx) => {
      await lockLayerOf(tx, command.id);
      const found = await readIncident(tx.db, command.id);
      const decision = decideConfirm(found, command, stamp);
      const { note } = command;
      return carryOutOrOrder(
        tx,
        { decision, command, groups: found ? [found] : [], body: () => ({ kind: 'confirm', note }) },
        stamp,
      );
    });
  }

  split(command: SplitIncident, stamp: Stamp): Promise<SplitOutcome> {
    return this.#database.transaction(async (tx) => {
      await lockLayerOf(tx, command.id);
      const [whole = null] = await incidentsWithMembers(tx, [command.id]);
      const decision = decideSplit(whole, command, await nextIncidentId(tx), stamp);
      const { note, eventIds } = command;
      const body = async ([group]: readonly IncidentRecord[]): Promise<GroupOrderBody> => ({
        kind: 'split',
        note,
        event_keys: await eventKeys(tx, group?.tenantCode ?? '', eventIds),
      });
      return carryOutOrOrder(
        tx,
        { decision, command, groups: whole ? [whole.incident] : [], eventIds, body },
        stamp,
      );
    });
  }

  merge(command: MergeIncidents, stamp: Stamp): Promise<MergeOutcome> {
    return this.#database.transaction(async (tx) => {
      // A group of another tenant or layer is refused. Both never change, so this needs no lock.
      await lockLayerOf(tx, command.id);
      const ids = [command.id, ...command.incidentIds];
      const found = new Map(
        (await incidentsWithMembers(tx, ids)).map((one) => [one.incident.id, one] as const),
      );
      const decision = decideMerge(found, command, stamp);
      const { note } = command;
      const groups = ids.flatMap((id) => found.get(id)?.incident ?? []);
      return carryOutOrOrder(
        tx,
        {
          decision,
          command,
          groups,
          body: ([, ...others]) => ({ kind: 'merge', note, others: others.map(named) }),
        },
        stamp,
      );
    });
  }

  unmerge(command: IncidentCommand, stamp: Stamp): Promise<UnmergeOutcome> {
    return this.#database.transaction((tx) => unmerge(tx, command, stamp));
  }

  forgetEvents(eventIds: readonly number[], stamp: Stamp): Promise<ForgetOutcome> {
    return this.#database.transaction((tx) => forget(tx, eventIds, stamp));
  }

  get(id: number): Promise<IncidentRecord | null> {
    return this.#database.read((db) => readIncident(db, id));
  }

  detail(
    id: number,
    after: { at: number; eventId: number } | null,
    limit: number,
  ): Promise<IncidentDetail | null> {
    return this.#database.read((db, pool) => detail({ db, pool }, id, after, limit));
  }

  list(
    filter: IncidentFilter,
    before: { lastAt: number; id: number } | null,
    limit: number,
  ): Promise<IncidentRecord[]> {
    return this.#database.list((db) => listIncidents(db, filter, before, limit));
  }
}

async function upsert(tx: Tx, command: UpsertIncident, stamp: Stamp): Promise<UpsertOutcome> {
  await lockLayer(tx, command.tenantCode, command.layer);
  const [own] = await tx.db
    .select()
    .from(incidents)
    .where(
      and(
        eq(incidents.tenantCode, command.tenantCode),
        eq(incidents.sourceKey, command.sourceKey),
        isNull(incidents.instance),
      ),
    );
  const path = own ? await pathOf(tx, own) : [];
  const holders = await holdersOf(tx, command.tenantCode, command.layer, command.eventIds);
  const { eventIds } = command;
  const events = await eventsForMembers(tx, command.tenantCode, {
    eventIds,
    fresh: eventIds.filter((id) => !holders.has(id)),
  });
  const nextId = own ? 0 : await nextIncidentId(tx);
  return applyPlan(tx, decideUpsert({ path, events, holders, nextId }, command, stamp));
}

async function unmerge(tx: Tx, command: IncidentCommand, stamp: Stamp): Promise<UnmergeOutcome> {
  await lockLayerOf(tx, command.id);
  const own = await readIncident(tx.db, command.id);
  const path: WholeIncident[] = [];
  for (const incident of own ? await pathOf(tx, own) : [])
    path.push({ incident, rows: await rowsOf(tx, incident) });
  const eventIds = path[0]?.rows.map(({ eventId }) => eventId) ?? [];
  const holders = own ? await holdersOf(tx, own.tenantCode, own.layer, eventIds) : new Map<number, number>();
  const decision = decideUnmerge({ path, holders }, command, stamp);
  const groups = path.map(({ incident }) => incident);
  const { note } = command;
  return carryOutOrOrder(tx, { decision, command, groups, body: () => ({ kind: 'unmerge', note }) }, stamp);
}

async function forget(tx: Tx, eventIds: readonly number[], stamp: Stamp): Promise<ForgetOutcome> {
  const touched = sql`${members.eventId} = any(${sql.param([...eventIds])}::bigint[])`;
  const places = await tx.db
    .selectDistinct({ tenantCode: members.tenantCode, layer: members.layer })
    .from(members)
    .where(touched)
    .orderBy(members.tenantCode, members.layer);
  for (const { tenantCode, layer } of places) await lockLayer(tx, tenantCode, layer);
  const affected = await tx.db.selectDistinct({ id: members.incidentId }).from(members).where(touched);
  const ids = affected.map(({ id }) => id);
  const found = await pathsOf(tx, ids);
  const rows = new Map(
    (await incidentsWithMembers(tx, ids)).map(({ incident, rows: all }) => [incident.id, all]),
  );
  const pointers =
    found.size === 0
      ? []
      : await tx.db
          .select({ id: incidents.id, mergedInto: incidents.mergedInto })
          .from(incidents)
          .where(inArray(incidents.mergedInto, [...found.keys()]));
  const known = pointers.flatMap(({ id, mergedInto }) => (mergedInto === null ? [] : [{ id, mergedInto }]));
  return applyPlan(tx, decideForget({ incidents: found, rows, pointers: known }, eventIds, stamp));
}

type Readable = { db: Db; pool: pg.Pool };

async function detail(
  { db, pool }: Readable,
  id: number,
  after: { at: number; eventId: number } | null,
  limit: number,
): Promise<IncidentDetail | null> {
  const incident = await readIncident(db, id);
  if (!incident) return null;
  const { tenantCode } = incident;
  const page = await db
    .select()
    .from(members)
    .where(
      and(
        eq(members.tenantCode, tenantCode),
        eq(members.incidentId, id),
        after === null
          ? undefined
          : sql`(${members.at}, ${members.eventId}) > (${after.at}, ${after.eventId})`,
      ),
    )
    .orderBy(members.at, members.eventId)
    .limit(limit);
  const events = await eventsOf(
    pool,
    tenantCode,
    page.map(({ eventId }) => eventId),
  );
  const otherLayers = await otherLayersOf(pool, incident);
  return {
    incident,
    wentTo: incident.mergedInto === null ? null : await endOf(db, incident),
    members: page.map((member) => ({ member, event: events.get(member.eventId) ?? null })),
    otherLayers,
    ...(incident.instance !== null && { orders: await ordersOfGroup(db, incident) }),
  };
}
