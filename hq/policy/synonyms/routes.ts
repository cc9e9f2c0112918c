import type * as z from 'zod/mini';
import { type Clock, stampOf } from '../../../common/clock.ts';
import { actorOf } from '../../../common/http/caller.ts';
import { AppError, badRequest } from '../../../common/http/error.ts';
import { type Fault } from '../../../common/http/fault/fault.ts';
import { type Route, route } from '../../../common/http/route.ts';
import { SHIPPED_SYNONYMS } from '../../../common/policy/terms/synonyms.ts';
import { fold } from '../../../common/policy/terms/terms.ts';
import { formatTime } from '../../../common/time.ts';
import type { Origins } from '../origin.ts';
import { faultAt } from '../policy-fault-messages.ts';
import type { SynonymPort, SynonymTable } from './port.ts';
import { MAX_GROUPS, MAX_WORDS, synonymsInput, synonymsQuery, synonymsView } from './schema.ts';

const access = ['admin', 'session'] as const;
const tag = 'Policy search';
const path = '/api/core/kb/synonyms';

/** The words that mean the same to a tenant, which its searches go by. */
export function synonymRoutes(synonyms: SynonymPort, origins: Origins, clock: Clock): Route[] {
  return [
    route({
      method: 'GET',
      path,
      tag,
      access,
      permission: 'policy.view',
      query: synonymsQuery,
      summary: "The words that mean the same in a tenant's searches",
      replies: { 200: { description: 'Its own groups, and those that are shipped', schema: synonymsView } },
      errors: { 403: 'tenant_not_allowed' },
      handle: async ({ actor, query }) => ({
        body: viewOf(await synonyms.get(origins.tenant(actor, query.tenant_code))),
      }),
    }),
    route({
      method: 'PUT',
      path,
      tag,
      access,
      permission: 'policy.manage',
      body: synonymsInput,
      summary: 'Replace the words that mean the same to a tenant',
      description:
        `At most ${MAX_GROUPS} groups of 2 to ${MAX_WORDS} words, each word in one group. They hold beside ` +
        'the shipped groups of construction, or in their place with `shipped: false`. A question with a ' +
        'word of a group finds what has any of them, and the group counts once in the score. The next ' +
        'search goes by them. With `expected_revision`, a table that was changed since is refused with 409.',
      replies: { 200: { description: 'As they are now', schema: synonymsView } },
      errors: { 403: 'tenant_not_allowed', 409: 'synonyms_changed' },
      handle: async (call) => {
        const { tenant_code: named, groups, shipped, expected_revision: expected = null } = call.body;
        const repeated = repeatedIn(groups);
        if (repeated.length > 0) throw badRequest(repeated);
        const outcome = await synonyms.set(
          { tenantCode: origins.tenant(call.actor, named), groups, shipped, expected, actor: actorOf(call) },
          stampOf(clock),
        );
        if (outcome.kind === 'set') return { body: viewOf(outcome.table) };
        throw new AppError(
          409,
          'synonyms_changed',
          `The table was changed since: it stands at revision ${outcome.table.revision}. Read it again.`,
          { retryable: false },
        );
      },
    }),
  ];
}

/** A word in several groups would stand for all of them, and the groups would be one. */
function repeatedIn(groups: readonly (readonly string[])[]): Fault[] {
  const first = new Map<string, number>();
  return groups.flatMap((group, at) =>
    group.flatMap((word, place) => {
      const known = first.get(fold(word));
      if (known === undefined) first.set(fold(word), at);
      return known === undefined
        ? []
        : [faultAt(`groups.${at}.${place}`, 'synonym_repeated', { word, group: known })];
    }),
  );
}

const viewOf = ({ setAt, ...table }: SynonymTable): z.infer<typeof synonymsView> => ({
  ...table,
  shippedGroups: SHIPPED_SYNONYMS.map((group) => [...group]),
  setAt: setAt === null ? null : formatTime(setAt),
});
