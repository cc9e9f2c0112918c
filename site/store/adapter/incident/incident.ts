import { eq } from 'drizzle-orm';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import type { Stamp } from '../../../../common/clock.ts';
import { memberOf } from '../../../../common/core/incident/aggregate.ts';
import { decideConfirm, decideUpsert } from '../../../../common/core/incident/decide.ts';
import { decideForget } from '../../../../common/core/incident/forget.ts';
import { decideMerge, decideUnmerge } from '../../../../common/core/incident/merge.ts';
import type { Decision, IncidentPlan } from '../../../../common/core/incident/plan.ts';
import type { IncidentPort } from '../../../../common/core/incident/port.ts';
import type {
  ConfirmOutcome,
  ForgetOutcome,
  IncidentCommand,
  IncidentDetail,
  IncidentFilter,
  IncidentRecord,
  MemberEvent,
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
import type { GroupCommit } from '../../engine/group-commit.ts';
import { incidents } from '../../schema/tables.ts';
import type { SiteAudit } from '../audit.ts';
import type { SiteEvents } from '../event.ts';
import type { ChangeLog } from '../uplink/change-log.ts';
import { IncidentRows } from './rows.ts';
import { prepareIncidents } from './statements.ts';

/** Incident groups on SQLite. */
export class SiteIncidents implements IncidentPort {
  #group: GroupCommit;
  #orm: BetterSQLite3Database;
  #rows: IncidentRows;
  #events: SiteEvents;
  #audit: SiteAudit;
  #changes: ChangeLog;
  #sql: ReturnType<typeof prepareIncidents>;

  constructor(
    group: GroupCommit,
    orm: BetterSQLite3Database,
    events: SiteEvents,
    audit: SiteAudit,
    changes: ChangeLog,
  ) {
    this.#group = group;
    this.#orm = orm;
    this.#rows = new IncidentRows(orm);
    this.#events = events;
    this.#audit = audit;
    this.#changes = changes;
    this.#sql = prepareIncidents(group.sqlite);
  }

  upsert(command: UpsertIncident, stamp: Stamp): Promise<UpsertOutcome> {
    return this.#group.write(() => {
      const own = this.#rows.ofSource(command);
      const seen = {
        path: own ? this.#rows.path(own) : [],
        events: this.#memberEvents(command),
        holders: this.#rows.holders(command.eventIds, command.layer),
        nextId: this.#sql.nextId(),
      };
      return this.#carryOut(decideUpsert(seen, command, stamp), stamp);
    });
  }

  confirm(command: IncidentCommand, stamp: Stamp): Promise<ConfirmOutcome> {
    return this.#group.write(() => this.confirmNow(command, stamp));
  }

  split(command: SplitIncident, stamp: Stamp): Promise<SplitOutcome> {
    return this.#group.write(() => this.splitNow(command, stamp));
  }

  merge(command: MergeIncidents, stamp: Stamp): Promise<MergeOutcome> {
    return this.#group.write(() => this.mergeNow(command, stamp));
  }

  unmerge(command: IncidentCommand, stamp: Stamp): Promise<UnmergeOutcome> {
    return this.#group.write(() => this.unmergeNow(command, stamp));
  }

  // The same within a transaction that is open.

  confirmNow(command: IncidentCommand, stamp: Stamp): ConfirmOutcome {
    return this.#carryOut(decideConfirm(this.#rows.read(command.id), command, stamp), stamp);
  }

  splitNow(command: SplitIncident, stamp: Stamp): SplitOutcome {
    const whole = this.#rows.whole(command.id);
    return this.#carryOut(decideSplit(whole, command, this.#sql.nextId(), stamp), stamp);
  }

  mergeNow(command: MergeIncidents, stamp: Stamp): MergeOutcome {
    const found = [command.id, ...command.incidentIds].flatMap((id) => this.#rows.whole(id) ?? []);
    const seen = new Map(found.map((one) => [one.incident.id, one]));
    return this.#carryOut(decideMerge(seen, command, stamp), stamp);
  }

  unmergeNow(command: IncidentCommand, stamp: Stamp): UnmergeOutcome {
    const own = this.#rows.read(command.id);
    const path = own
      ? this.#rows
          .path(own)
          .map((incident): WholeIncident => ({ incident, rows: this.#rows.of(incident.id) }))
      : [];
    const eventIds = path[0]?.rows.map(({ eventId }) => eventId) ?? [];
    const holders = own ? this.#rows.holders(eventIds, own.layer) : new Map<number, number>();
    return this.#carryOut(decideUnmerge({ path, holders }, command, stamp), stamp);
  }

  forgetEvents(eventIds: readonly number[], stamp: Stamp): Promise<ForgetOutcome> {
    return this.#group.write(() => {
      const affected = this.#rows.withEvents(eventIds);
      const rows = new Map([...affected].map((id) => [id, this.#rows.of(id)]));
      const found = new Map(
        [...affected]
          .flatMap((id) => this.#rows.path(this.#rows.present(id)))
          .map((group) => [group.id, group]),
      );
      const pointers = [...found.keys()].flatMap((id) => this.#sql.pointers.all(id));
      const { outcome, plan } = decideForget({ incidents: found, rows, pointers }, eventIds, stamp);
      // Headquarters is not told of the deletion: it keeps groups by a retention of its own.
      if (plan) this.#apply(plan);
      for (const id of plan?.remove ?? []) this.#changes.deleted('group', id, stamp.now);
      return outcome;
    });
  }

  async get(id: number): Promise<IncidentRecord | null> {
    return this.#rows.read(id);
  }

  async detail(
    id: number,
    after: { at: number; eventId: number } | null,
    limit: number,
  ): Promise<IncidentDetail | null> {
    const incident = this.#rows.read(id);
    if (!incident) return null;
    const page = this.#rows.members(id, after, limit);
    return {
      incident,
      wentTo: incident.state === 'closed' ? (this.#rows.path(incident).at(-1)?.id ?? null) : null,
      members: page.map((member) => ({ member, event: this.#events.read(member.eventId) })),
      otherLayers: this.#sql.otherLayers.all(id),
    };
  }

  async list(
    filter: IncidentFilter,
    before: { lastAt: number; id: number } | null,
    limit: number,
  ): Promise<IncidentRecord[]> {
    return this.#rows.list(filter, before, limit);
  }

  /** Writes what was decided in the transaction in which it was read. */
  #carryOut<O>({ outcome, plan }: Decision<O>, stamp: Stamp): O {
    if (plan) {
      this.#apply(plan);
      this.#number(plan, stamp.now);
    }
    return outcome;
  }

  /** A group that another was merged into goes up before that one. */
  #number(plan: IncidentPlan, now: number): void {
    const more = new Set([...plan.insert, ...plan.hideMembers, ...plan.showMembers].map(({ id }) => id));
    for (const { incident } of plan.dropMembers) more.add(incident.id);
    for (const { id, state } of [...plan.insert, ...plan.update].sort(openFirst)) {
      const members = plan.addMembers.filter(({ incidentId }) => incidentId === id);
      const added = more.has(id) || state === 'closed' ? null : members.map(({ eventId }) => eventId);
      const eventId = this.#sql.newestMember.get(id) ?? 0;
      this.#changes.changed({ kind: 'group', id, eventId, eventKey: null, added }, now);
    }
  }

  #apply(plan: IncidentPlan): void {
    for (const { incident, eventIds } of plan.dropMembers)
      for (const eventId of eventIds) this.#sql.dropMember.run(incident.id, eventId);
    for (const { id } of plan.hideMembers) this.#sql.setLive.run(0, id);
    for (const member of plan.addMembers) this.#sql.addMember(member);
    for (const { id } of plan.showMembers) this.#sql.setLive.run(1, id);
    for (const incident of plan.insert) this.#sql.addIncident(incident);
    for (const incident of plan.update)
      this.#orm.update(incidents).set(incident).where(eq(incidents.id, incident.id)).run();
    for (const id of plan.remove) this.#orm.delete(incidents).where(eq(incidents.id, id)).run();
    for (const entry of plan.audit) this.#audit.insert(entry);
  }

  #memberEvents(command: UpsertIncident): Map<number, MemberEvent> {
    const found = new Map<number, MemberEvent>();
    for (const id of command.eventIds) {
      const event = this.#events.read(id);
      if (event?.tenantCode === command.tenantCode) found.set(id, memberOf(event));
    }
    return found;
  }
}

const openFirst = (a: IncidentRecord, b: IncidentRecord): number =>
  Number(a.state === 'closed') - Number(b.state === 'closed');
