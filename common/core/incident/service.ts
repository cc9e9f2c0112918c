import { type Clock, stampOf } from '../../clock.ts';
import { type Page, pagedList } from '../../cursor.ts';
import type { Actor } from '../../http/actor.ts';
import { AppError, notFound } from '../../http/error.ts';
import { differencesOf, type IncidentDifference } from './differences.ts';
import { fault } from './incident-fault-messages.ts';
import type { IncidentPort } from './port.ts';
import type {
  ConfirmOutcome,
  IncidentCommand,
  IncidentDetail,
  IncidentFilter,
  IncidentRecord,
  MergeOutcome,
  OrderedIncident,
  Skipped,
  SplitOutcome,
  UnmergeOutcome,
} from './record.ts';
import { namedEvents, notMergeable, notRestorable, refusal } from './refusals.ts';
import type { ConfirmInput, MergeInput, SplitInput, UpsertInput } from './schema.ts';

const INCIDENTS = pagedList('incidents', ['number', 'number']);

export interface IncidentServiceOptions {
  incidents: IncidentPort;
  clock: Clock;
}

export interface UpsertAnswer {
  /** null: every event belongs to another group, so that none was made. */
  id: number | null;
  created: boolean;
  added: number;
  skipped: Skipped[];
  differences: IncidentDifference[];
  redirectedFrom: number | null;
}

type Kind<O, K extends string> = Extract<O, { kind: K }>;

/** Who decides, and on which group. */
export interface Deciding {
  id: number;
  actor: Actor;
  /** For the audit. */
  actorText: string;
}

export interface DetailPage extends IncidentDetail {
  nextCursor: string | null;
  hasMore: boolean;
}

/**
 * Incident groups (spec 2, "Incident group"). Every method may throw AppError 409 write_contention,
 * retryable.
 */
export class IncidentService {
  readonly #options: IncidentServiceOptions;

  constructor(options: IncidentServiceOptions) {
    this.#options = options;
  }

  /**
   * The agent writes back one group. @throws AppError 400 for unknown events and another layer, 403 for
   * another tenant
   */
  async upsert(input: UpsertInput, actor: Actor, actorText: string): Promise<UpsertAnswer> {
    if (actor.tenantCode !== null && actor.tenantCode !== input.tenant_code)
      throw new AppError(403, 'tenant_mismatch', 'tenant_code is not your tenant; give your own.');
    const eventIds = [...new Set(input.event_ids)];
    const outcome = await this.#options.incidents.upsert(
      {
        tenantCode: input.tenant_code,
        sourceKey: input.source_key,
        layer: input.layer,
        siteRef: input.site_ref,
        pointRef: input.point_ref ?? null,
        title: input.title ?? null,
        eventIds,
        actor: actorText,
      },
      stampOf(this.#options.clock),
    );
    switch (outcome.kind) {
      case 'upserted': {
        const { incident, created, added, skipped, redirectedFrom } = outcome;
        return {
          id: incident.id,
          created,
          added: added.length,
          skipped,
          differences: differencesOf(input, incident),
          redirectedFrom,
        };
      }
      case 'nothing':
        return {
          id: null,
          created: false,
          added: 0,
          skipped: outcome.skipped,
          differences: [],
          redirectedFrom: null,
        };
      case 'unknown_events':
        throw namedEvents('event_ids', input.event_ids, outcome.eventIds, 'group_no_event');
      case 'layer_mismatch':
        throw fault('layer', 'group_layer_other', { layer: outcome.layer });
    }
  }

  /** @throws AppError 404, 409 incident_closed, group_changed */
  async confirm(
    deciding: Deciding,
    input: ConfirmInput,
  ): Promise<Kind<ConfirmOutcome, 'confirmed'> | OrderedIncident> {
    const outcome = await this.#options.incidents.confirm(
      commandOf(deciding, input),
      stampOf(this.#options.clock),
    );
    if (outcome.kind !== 'confirmed' && outcome.kind !== 'ordered') throw refusal(outcome);
    return outcome;
  }

  /**
   * @throws AppError 400 naming events that are no members, 400 for every member, 404, 409 incident_closed,
   *   group_changed
   */
  async split(deciding: Deciding, input: SplitInput): Promise<Kind<SplitOutcome, 'split'> | OrderedIncident> {
    const command = { ...commandOf(deciding, input), eventIds: [...new Set(input.event_ids)] };
    const outcome = await this.#options.incidents.split(command, stampOf(this.#options.clock));
    if (outcome.kind === 'not_members')
      throw namedEvents('event_ids', input.event_ids, outcome.eventIds, 'group_no_member');
    if (outcome.kind === 'every_member') throw fault('event_ids', 'group_emptied');
    if (outcome.kind !== 'split' && outcome.kind !== 'ordered') throw refusal(outcome);
    return outcome;
  }

  /**
   * All of them or none. @throws AppError 400 for itself, another tenant or layer; 404 naming the missing;
   * 409 incident_closed, group_changed
   */
  async merge(
    deciding: Deciding,
    input: MergeInput,
  ): Promise<Kind<MergeOutcome, 'merged'> | OrderedIncident> {
    const command = { ...commandOf(deciding, input), incidentIds: [...new Set(input.incident_ids)] };
    const outcome = await this.#options.incidents.merge(command, stampOf(this.#options.clock));
    if (outcome.kind === 'not_mergeable') throw notMergeable(input, outcome);
    if (outcome.kind !== 'merged' && outcome.kind !== 'ordered') throw refusal(outcome);
    return outcome;
  }

  /** Undoes a merge. @throws AppError 404, 409 not_merged, members_gone, every_member, group_changed */
  async unmerge(
    deciding: Deciding,
    input: ConfirmInput,
  ): Promise<Kind<UnmergeOutcome, 'unmerged'> | OrderedIncident> {
    const outcome = await this.#options.incidents.unmerge(
      commandOf(deciding, input),
      stampOf(this.#options.clock),
    );
    switch (outcome.kind) {
      case 'not_found':
      case 'changed':
        throw refusal(outcome);
      case 'unmerged':
      case 'ordered':
        return outcome;
      default:
        throw notRestorable(outcome, deciding.id);
    }
  }

  /** Last member first. The cursor is bound to this list. @throws AppError 400 for another list's cursor */
  async list(
    filter: IncidentFilter,
    cursor: string | undefined,
    limit: number,
  ): Promise<Page<IncidentRecord>> {
    const before = INCIDENTS.positionOf(cursor);
    const position = before && { lastAt: before[0], id: before[1] };
    const rows = await this.#options.incidents.list(filter, position, limit + 1);
    return INCIDENTS.page(rows, limit, ({ lastAt, id }) => [lastAt, id]);
  }

  /**
   * With a page of its members. @throws AppError 404, also for another tenant's group; 400 for another list's
   * cursor
   */
  async detail(
    id: number,
    tenantCode: string | null,
    page: { cursor?: string | undefined; limit: number },
  ): Promise<DetailPage> {
    const list = pagedList(`incident-${id}`, ['number', 'number']);
    const after = list.positionOf(page.cursor);
    const found = await this.#options.incidents.detail(
      id,
      after && { at: after[0], eventId: after[1] },
      page.limit + 1,
    );
    if (!found || (tenantCode !== null && found.incident.tenantCode !== tenantCode))
      throw notFound(`Incident ${id}`);
    const { items, ...where } = list.page(found.members, page.limit, ({ member }) => [
      member.at,
      member.eventId,
    ]);
    return { ...found, members: items, ...where };
  }
}

function commandOf({ id, actor, actorText }: Deciding, input: ConfirmInput): IncidentCommand {
  const { by, note = null, seen } = input;
  return { id, tenantCode: actor.tenantCode, by, note, actor: actorText, ...(seen && { seen }) };
}
