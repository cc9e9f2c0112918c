// The calls with which openapi.test.ts tries every route of both programs.
//
// To add a route, add a line `'METHOD /path': { good: (w) => ({ ... }) }` to the list of its area (events.ts,
// disposition.ts, operation.ts):
// - `good` makes a request that must get a documented 2xx: `target` (with the ids in it), `body`, and `as`
// when not the
// admin key. It is called again for each try, so make what it uses up (w.event(), w.task(), w.fresh('name')).
// - `more` are further calls by what they must get: '409 no_verdict', '404 not_found', or a second 2xx, such
// as '200'.
//  - `only` names the program that has the route, when it is not both.
//  - `unseen` says why a documented status cannot be had here.
// What follows from the form of a route is tried without a word here: 400 (unknown parameter and member,
// malformed JSON, bad path), 401, 403 (wrong key, csrf, permission), 404 of an id that nobody has, 413, 415.
import { AGENT } from './agent.ts';
import { DATASETS } from './datasets.ts';
import { INCIDENTS, STATISTICS, TASKS } from './disposition.ts';
import { DUTY } from './duty.ts';
import { EVENTS, EVIDENCE, SUBSCRIPTIONS } from './events.ts';
import { INTEGRATION, OPEN } from './integration.ts';
import { KNOWLEDGE, POLICY } from './knowledge.ts';
import type { Line } from './line.ts';
import { ADMIN_KEYS, DEVICES, NODES, OPERATION, SESSIONS, SITES, UPLINK, USERS } from './operation.ts';
import { PASSKEYS } from './passkey.ts';
import { PLANS } from './plan.ts';
import { RELEASES } from './release.ts';
import { SITE_REQUESTS } from './request.ts';
import { RULES } from './rules.ts';
import { SEARCH } from './search.ts';
import { SECOND_FACTOR, SIGN_IN } from './second-factor.ts';

export const LINES: Record<string, Line> = {
  ...AGENT,
  ...OPERATION,
  ...EVENTS,
  ...SUBSCRIPTIONS,
  ...EVIDENCE,
  ...ADMIN_KEYS,
  ...NODES,
  ...DEVICES,
  ...TASKS,
  ...INCIDENTS,
  ...STATISTICS,
  ...SESSIONS,
  ...SECOND_FACTOR,
  ...PASSKEYS,
  ...SIGN_IN,
  ...USERS,
  ...DUTY,
  ...PLANS,
  ...SITES,
  ...SITE_REQUESTS,
  ...RELEASES,
  ...UPLINK,
  ...RULES,
  ...DATASETS,
  ...INTEGRATION,
  ...OPEN,
  ...KNOWLEDGE,
  ...POLICY,
  ...SEARCH,
};
