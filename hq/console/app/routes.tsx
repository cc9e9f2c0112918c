// Every screen by its address. A screen is a file that is loaded when it is opened, or ahead; what of the
// address it understands is its filters, and without one of its permissions it is not shown.
import { createRoute, redirect } from '@tanstack/react-router';
import { adminFilters } from '../screen/admin/filters.ts';
import { deliveryFilters } from '../screen/delivery/filters.ts';
import { eventFilters } from '../screen/event/filters.ts';
import { askEvents } from '../screen/event/queries.ts';
import { incidentFilters } from '../screen/incident/filters.ts';
import { integrationFilters } from '../screen/integration/filters.ts';
import { planFilters } from '../screen/plan/filters.ts';
import { objectFilters, reportFilters } from '../screen/report/filters.ts';
import { reviewFilters } from '../screen/review/filters.ts';
import { rolloutSiteFilters } from '../screen/rollout/filters.ts';
import { ruleFilters, typeFilters } from '../screen/rule/filters.ts';
import { siteFilters } from '../screen/site/filters.ts';
import { siteTab } from '../screen/site/one/filters.ts';
import { askFleet } from '../screen/site/queries.ts';
import { taskFilters } from '../screen/task/filters.ts';
import { adminNeeds, menuFor } from '../shell/menu.tsx';
import { login, root, shell, signedIn, take } from './frame.tsx';
import { later } from './later.tsx';
import { library } from './library-routes.tsx';
import { NoScreen } from './no-screen.tsx';

const start = createRoute({
  getParentRoute: () => shell,
  path: '/',
  component: NoScreen,
  beforeLoad: ({ context }) => {
    const [first] = menuFor((permission) => context.identity.permissions.includes(permission));
    if (first) throw redirect({ to: first.to, replace: true });
    // Who may do nothing may have to set a second factor first.
    if (context.identity.permissions.length === 0) throw redirect({ to: '/account', replace: true });
  },
});

const sites = createRoute({
  getParentRoute: () => shell,
  path: '/sites',
  staticData: { needs: ['uplink.view', 'events.view'], ahead: askFleet },
  validateSearch: siteFilters,
  component: later(async () => (await import('../screen/site/list.tsx')).SiteList),
});

const site = createRoute({
  getParentRoute: () => shell,
  path: '/sites/$instance',
  staticData: { needs: ['uplink.view'] },
  validateSearch: siteTab,
  component: later(async () => (await import('../screen/site/one/site.tsx')).SitePage),
});

const upgrades = createRoute({
  getParentRoute: () => shell,
  path: '/upgrades',
  staticData: { needs: ['releases.manage'] },
  component: later(async () => (await import('../screen/rollout/upgrades.tsx')).Upgrades),
});

const upgrade = createRoute({
  getParentRoute: () => shell,
  path: '/upgrades/$id',
  staticData: { needs: ['releases.manage'] },
  validateSearch: rolloutSiteFilters,
  component: later(async () => (await import('../screen/rollout/one.tsx')).RolloutPage),
});

const plans = createRoute({
  getParentRoute: () => shell,
  path: '/plans',
  staticData: { needs: ['events.view'] },
  validateSearch: planFilters,
  component: later(async () => (await import('../screen/plan/plan.tsx')).Plans),
});

const siteStates = createRoute({
  getParentRoute: () => shell,
  path: '/site-states',
  staticData: { needs: ['uplink.view'] },
  component: later(async () => (await import('../screen/site/explained.tsx')).StatesExplained),
});

const now = createRoute({
  getParentRoute: () => shell,
  path: '/now',
  staticData: { needs: ['events.view'] },
  component: later(async () => (await import('../screen/now/now.tsx')).Now),
});

const review = createRoute({
  getParentRoute: () => shell,
  path: '/review',
  staticData: { needs: ['events.view'] },
  validateSearch: reviewFilters,
  component: later(async () => (await import('../screen/review/review.tsx')).Review),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/events',
  staticData: { needs: ['events.view'], ahead: askEvents },
  validateSearch: eventFilters,
  component: later(async () => (await import('../screen/event/list.tsx')).EventList),
});

const event = createRoute({
  getParentRoute: () => shell,
  path: '/events/$id',
  staticData: { needs: ['events.view'] },
  component: later(async () => (await import('../screen/event/detail.tsx')).EventDetail),
});

const rules = createRoute({
  getParentRoute: () => shell,
  path: '/rules',
  staticData: { needs: ['rules.view'] },
  validateSearch: ruleFilters,
  component: later(async () => (await import('../screen/rule/list.tsx')).RuleList),
});

const eventTypes = createRoute({
  getParentRoute: () => shell,
  path: '/rules/types',
  staticData: { needs: ['rules.view'] },
  validateSearch: typeFilters,
  component: later(async () => (await import('../screen/rule/type/list.tsx')).TypeList),
});

const reports = createRoute({
  getParentRoute: () => shell,
  path: '/reports',
  staticData: { needs: ['knowledge.view', 'stats.view'] },
  validateSearch: reportFilters,
  component: later(async () => (await import('../screen/report/screen.tsx')).Reports),
});

const report = createRoute({
  getParentRoute: () => shell,
  path: '/reports/$id',
  staticData: { needs: ['knowledge.view'] },
  validateSearch: objectFilters,
  component: later(async () => (await import('../screen/knowledge/detail.tsx')).KnowledgeDetail),
});

const integration = createRoute({
  getParentRoute: () => shell,
  path: '/integration',
  staticData: { needs: ['integration.view'] },
  validateSearch: integrationFilters,
  component: later(async () => (await import('../screen/integration/screen.tsx')).Integration),
});

const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/integration/webhooks/$id',
  staticData: { needs: ['integration.view'] },
  validateSearch: deliveryFilters,
  component: later(async () => (await import('../screen/webhook/detail.tsx')).WebhookDetail),
});

const incidents = createRoute({
  getParentRoute: () => shell,
  path: '/incidents',
  staticData: { needs: ['events.view'] },
  validateSearch: incidentFilters,
  component: later(async () => (await import('../screen/incident/list.tsx')).IncidentList),
});

const incident = createRoute({
  getParentRoute: () => shell,
  path: '/incidents/$id',
  staticData: { needs: ['events.view'] },
  component: later(async () => (await import('../screen/incident/detail.tsx')).IncidentDetail),
});

const tasks = createRoute({
  getParentRoute: () => shell,
  path: '/tasks',
  staticData: { needs: ['events.view'] },
  validateSearch: taskFilters,
  component: later(async () => (await import('../screen/task/list.tsx')).TaskList),
});

const task = createRoute({
  getParentRoute: () => shell,
  path: '/tasks/$id',
  staticData: { needs: ['events.view'] },
  component: later(async () => (await import('../screen/task/detail.tsx')).TaskDetail),
});

const taskOfSite = createRoute({
  getParentRoute: () => shell,
  path: '/tasks/of/$instance/$origin',
  staticData: { needs: ['events.view'] },
  component: later(async () => (await import('../screen/task/of-site.tsx')).TaskOfSite),
});

const data = createRoute({
  getParentRoute: () => shell,
  path: '/data',
  staticData: { needs: ['integration.view', 'subscriptions.view'] },
  component: later(async () => (await import('../screen/dataset/screen.tsx')).Data),
});

const admin = createRoute({
  getParentRoute: () => shell,
  path: '/admin',
  staticData: { needs: [...adminNeeds, 'events.view'] },
  validateSearch: adminFilters,
  component: later(async () => (await import('../screen/admin/admin.tsx')).Admin),
});

const duty = createRoute({
  getParentRoute: () => shell,
  path: '/duty',
  staticData: { needs: ['duty.view'] },
  component: later(async () => (await import('../screen/duty/duty.tsx')).Duty),
});

const calls = createRoute({
  getParentRoute: () => shell,
  path: '/calls',
  component: later(async () => (await import('../screen/call/calls.tsx')).Calls),
});

const account = createRoute({
  getParentRoute: () => shell,
  path: '/account',
  component: later(async () => (await import('../screen/account/account.tsx')).Account),
});

export const routes = root.addChildren([
  login,
  signedIn,
  take,
  shell.addChildren([
    start,
    now,
    sites,
    site,
    siteStates,
    upgrades,
    upgrade,
    plans,
    review,
    events,
    event,
    incidents,
    incident,
    tasks,
    task,
    taskOfSite,
    rules,
    eventTypes,
    ...library,
    reports,
    report,
    integration,
    webhook,
    data,
    admin,
    duty,
    calls,
    account,
  ]),
]);
