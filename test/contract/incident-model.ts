// What the stores should hold of incident groups, written as simply as it can be: sets in memory, and none of
// the functions that the stores use to decide.
import type { IncidentAggregate, IncidentRecord, MemberEvent } from '../../common/core/incident/record.ts';
import type { IncidentLayer, IncidentState } from '../../common/core/incident/schema.ts';
import { factsFrom, groupOf } from './incident-check.ts';

export type IncidentStep =
  | { op: 'upsert'; tenantCode: string; sourceKey: string; layer: IncidentLayer; eventIds: number[] }
  | { op: 'confirm' | 'unmerge'; id: number; tenantCode: string | null }
  | { op: 'split'; id: number; tenantCode: string | null; eventIds: number[] }
  | { op: 'merge'; id: number; tenantCode: string | null; incidentIds: number[] }
  | { op: 'forget'; eventIds: number[] };

interface Group {
  record: IncidentRecord;
  /** Events that it has, or had when it was merged away. */
  rows: Set<number>;
}

export class IncidentModel {
  groups: Group[] = [];
  #events: Map<number, MemberEvent & { tenantCode: string }>;
  #lastId = 0;

  constructor(events: readonly (MemberEvent & { tenantCode: string })[]) {
    this.#events = new Map(events.map((event) => [event.eventId, event]));
  }

  perform(step: IncidentStep, now: number): unknown {
    switch (step.op) {
      case 'upsert':
        return this.#upsert(step, now);
      case 'confirm':
        return this.#confirm(step, now);
      case 'split':
        return this.#split(step, now);
      case 'merge':
        return this.#merge(step, now);
      case 'unmerge':
        return this.#unmerge(step, now);
      case 'forget':
        return this.#forget(step.eventIds, now);
    }
  }

  #upsert({ op: _, ...given }: Extract<IncidentStep, { op: 'upsert' }>, now: number): unknown {
    const command = groupOf(given.sourceKey, given.eventIds, given);
    const own = this.groups.find(
      ({ record }) => record.tenantCode === command.tenantCode && record.sourceKey === command.sourceKey,
    );
    if (own && own.record.layer !== command.layer) return { kind: 'layer_mismatch', layer: own.record.layer };
    const unknown = command.eventIds.filter((id) => this.#events.get(id)?.tenantCode !== command.tenantCode);
    if (unknown.length > 0) return { kind: 'unknown_events', eventIds: unknown };
    const path = own ? this.#path(own) : [];
    const root = path.at(-1);
    const held = (eventId: number) => this.#holder(eventId, command.layer);
    const added = command.eventIds.filter((id) => !held(id));
    const skipped = command.eventIds.flatMap((eventId) => {
      const holder = held(eventId);
      return holder && holder !== root ? [{ eventId, incidentId: holder.record.id }] : [];
    });
    if (!root && added.length === 0) return { kind: 'nothing', skipped };
    const target = root ?? this.#make({ ...command, title: null, pointRef: null }, now);
    if (added.length > 0) for (const group of root ? path : [target]) this.#add(group, added, now);
    const redirectedFrom = own && own !== root ? own.record.id : null;
    return { kind: 'upserted', incident: target.record, created: !root, redirectedFrom, added, skipped };
  }

  #confirm(step: { id: number; tenantCode: string | null }, now: number): unknown {
    const group = this.#own(step);
    if (!group) return { kind: 'not_found', ids: [step.id] };
    if (group.record.state === 'closed') return { kind: 'closed', incidents: [group.record] };
    const changed = group.record.state !== 'confirmed';
    if (changed)
      this.#set(group, {
        state: 'confirmed',
        firstLocked: true,
        confirmedBy: 'li',
        confirmedAt: now,
        updatedAt: now,
        revision: group.record.revision + 1,
      });
    return { kind: 'confirmed', incident: group.record, changed };
  }

  #split(step: Extract<IncidentStep, { op: 'split' }>, now: number): unknown {
    const group = this.#own(step);
    if (!group) return { kind: 'not_found', ids: [step.id] };
    if (group.record.state === 'closed') return { kind: 'closed', incidents: [group.record] };
    const strangers = step.eventIds.filter((id) => !group.rows.has(id));
    if (strangers.length > 0) return { kind: 'not_members', eventIds: strangers };
    if (step.eventIds.length === group.rows.size) return { kind: 'every_member' };
    const { tenantCode, layer, siteRef } = group.record;
    this.#leave(group, step.eventIds, now);
    this.#set(group, { firstLocked: true, revision: group.record.revision + 1 });
    const off = this.#make(
      {
        tenantCode,
        layer,
        siteRef,
        sourceKey: null,
        title: group.record.title,
        pointRef: group.record.pointRef,
      },
      now,
    );
    this.#add(off, step.eventIds, now);
    this.#set(off, { state: 'split', splitFrom: step.id, firstLocked: true });
    return { kind: 'split', incident: group.record, splitOff: off.record };
  }

  #merge(step: Extract<IncidentStep, { op: 'merge' }>, now: number): unknown {
    const target = this.#own(step);
    const sources = step.incidentIds.map((id) => this.#own({ ...step, id }));
    const missing = [step.id, ...step.incidentIds].filter((id) => !this.#own({ ...step, id }));
    if (!target || missing.length > 0) return { kind: 'not_found', ids: [...new Set(missing)] };
    const all = sources.flatMap((source) => source ?? []);
    const faults = all.flatMap(({ record: { id, tenantCode, layer } }) => {
      const reason =
        id === step.id
          ? 'itself'
          : tenantCode !== target.record.tenantCode
            ? 'tenant'
            : layer !== target.record.layer
              ? 'layer'
              : null;
      return reason ? [{ id, reason }] : [];
    });
    if (faults.length > 0) return { kind: 'not_mergeable', faults };
    const closed = [target, ...all].filter(({ record }) => record.state === 'closed');
    if (closed.length > 0) return { kind: 'closed', incidents: closed.map(({ record }) => record) };
    this.#add(
      target,
      all.flatMap(({ rows }) => [...rows]),
      now,
    );
    this.#set(target, { revision: target.record.revision + 1 });
    for (const group of all) {
      this.#set(group, {
        state: 'closed',
        stateBefore: group.record.state,
        mergedInto: step.id,
        closedAt: now,
        updatedAt: now,
        revision: group.record.revision + 1,
      });
    }
    return { kind: 'merged', incident: target.record, merged: all.map(({ record }) => record) };
  }

  #unmerge(step: { id: number; tenantCode: string | null }, now: number): unknown {
    const group = this.#own(step);
    if (!group) return { kind: 'not_found', ids: [step.id] };
    if (group.record.state !== 'closed') return { kind: 'not_merged', incident: group.record };
    const later = this.#path(group).slice(1);
    const root = later.at(-1);
    const cleared = group.record.clearedCount;
    const elsewhere = [...group.rows]
      .filter((id) => this.#holder(id, group.record.layer) !== root)
      .sort((a, b) => a - b)
      .map((eventId) => ({
        eventId,
        incidentId: this.#holder(eventId, group.record.layer)?.record.id ?? null,
      }));
    if (cleared > 0 || elsewhere.length > 0) return { kind: 'members_gone', cleared, elsewhere };
    const emptied = later.find(({ rows }) => rows.size > 0 && [...rows].every((id) => group.rows.has(id)));
    if (emptied) return { kind: 'every_member', incidentId: emptied.record.id };
    for (const one of later) {
      this.#leave(one, [...group.rows], now);
      this.#set(one, { revision: one.record.revision + 1 });
    }
    const { stateBefore } = group.record;
    this.#set(group, {
      state: stateBefore as IncidentState,
      stateBefore: null,
      mergedInto: null,
      closedAt: null,
      updatedAt: now,
      revision: group.record.revision + 1,
    });
    return { kind: 'unmerged', incident: group.record, from: root?.record };
  }

  #forget(eventIds: readonly number[], now: number): unknown {
    const known = eventIds.filter((id) => this.groups.some(({ rows }) => rows.has(id)));
    const touched = this.groups.filter(({ rows }) => eventIds.some((id) => rows.has(id)));
    for (const group of touched) {
      const gone = eventIds.filter((id) => group.rows.has(id));
      const real = group.record.confirmedAt !== null && !group.record.isTest;
      this.#leave(group, gone, now);
      this.#set(group, {
        clearedCount: group.record.state === 'closed' ? group.record.clearedCount + gone.length : 0,
        ...(real ? { isTest: false } : {}),
      });
    }
    const deleted: number[] = [];
    const reached = touched.length === 0 ? [] : this.groups;
    for (
      let found: Group | undefined;
      (found = reached.find((group) => this.#isEmpty(group) && !deleted.includes(group.record.id)));
    ) {
      const { id } = found.record;
      deleted.push(id);
      this.groups = this.groups.filter(({ record }) => record.id !== id);
    }
    const recomputed = touched.map(({ record }) => record.id).filter((id) => !deleted.includes(id));
    return {
      events: known.length,
      recomputed: recomputed.sort((a, b) => a - b),
      deleted: deleted.sort((a, b) => a - b),
    };
  }

  #isEmpty({ record, rows }: Group): boolean {
    const isRecord = record.confirmedAt !== null && !record.isTest;
    return (
      rows.size === 0 && !isRecord && !this.groups.some((group) => group.record.mergedInto === record.id)
    );
  }

  #make(
    of: Pick<IncidentRecord, 'tenantCode' | 'sourceKey' | 'layer' | 'siteRef' | 'title' | 'pointRef'>,
    now: number,
  ): Group {
    const { tenantCode, sourceKey, layer, siteRef, title, pointRef } = of;
    const group: Group = {
      rows: new Set(),
      record: {
        id: (this.#lastId += 1),
        tenantCode,
        instance: null,
        originId: null,
        sourceKey,
        layer,
        siteRef,
        pointRef,
        title,
        state: 'auto',
        stateBefore: null,
        mergedInto: null,
        splitFrom: null,
        firstLocked: false,
        confirmedBy: null,
        confirmedAt: null,
        closedAt: null,
        clearedCount: 0,
        revision: 0,
        createdAt: now,
        updatedAt: now,
        firstAt: 0,
        lastAt: 0,
        eventTypes: [],
        sources: [],
        severity: 'low',
        memberCount: 0,
        testMemberCount: 0,
        isTest: true,
        firstEventId: null,
        firstEventAt: null,
      },
    };
    this.groups.push(group);
    return group;
  }

  #add(group: Group, ids: readonly number[], now: number): void {
    const isTest = group.record.isTest && ids.every((id) => this.#events.get(id)?.isTest);
    for (const id of ids) group.rows.add(id);
    this.#recompute(group);
    this.#set(group, { isTest, updatedAt: now });
  }

  #leave(group: Group, ids: readonly number[], now: number): void {
    for (const id of ids) group.rows.delete(id);
    this.#recompute(group);
    this.#set(group, { updatedAt: now });
  }

  #recompute(group: Group): void {
    if (group.rows.size === 0) {
      this.#set(group, { memberCount: 0, testMemberCount: 0 });
      return;
    }
    const { firstEventId, firstEventAt, ...facts } = factsFrom(
      group.record.layer,
      [...group.rows].flatMap((id) => this.#events.get(id) ?? []),
    ) as IncidentAggregate;
    this.#set(group, group.record.firstLocked ? facts : { ...facts, firstEventId, firstEventAt });
  }

  #set(group: Group, change: Partial<IncidentRecord>): void {
    group.record = { ...group.record, ...change };
  }

  #own({ id, tenantCode }: { id: number; tenantCode: string | null }): Group | undefined {
    return this.groups.find(
      ({ record }) => record.id === id && (tenantCode === null || record.tenantCode === tenantCode),
    );
  }

  #holder(eventId: number, layer: IncidentLayer): Group | undefined {
    return this.groups.find(
      ({ record, rows }) => record.layer === layer && record.state !== 'closed' && rows.has(eventId),
    );
  }

  #path(group: Group): Group[] {
    const next = this.groups.find(({ record }) => record.id === group.record.mergedInto);
    return next ? [group, ...this.#path(next)] : [group];
  }
}
