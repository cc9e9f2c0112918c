// What of the console each person sees: by role, of their own tenant, and times as they were at the site.
// `npm test` tries every second screen with two of them, `npm run test:matrix` all with each.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOf, half } from '../../support/campaign.ts';
import { until } from '../../support/request.ts';
import { eventAt } from '../field.ts';
import type { Visit, VisitOptions } from '../rig.ts';
import { goTo } from './going.ts';
import { screens } from './screens.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  const { rig } = world;
  await rig.addUser('viewer', { role: 'customer', tenant_code: 'acme', permissions: ['events.view'] });
  await rig.addUser('partner', { role: 'operator', permissions: ['integration.view'] });
  await rig.addUser('engineer', {
    role: 'operator',
    permissions: ['integration.view', 'integration.manage'],
  });
  await rig.addUser('keeper', { role: 'operator', permissions: ['users.manage', 'audit.view'] });
  await rig.addUser('stranger', { role: 'customer', tenant_code: 'other' });
});
afterAll(() => world.rig.close());

const enter = (target: string, user: string, options: VisitOptions = {}): Promise<Visit> =>
  world.rig.enter(user, target, options);

const EVENTS = ['/now', '/sites', '/plans', '/review', '/events', '/incidents', '/tasks'];
const OWN = [...EVENTS, '/duty', '/rules', '/library', '/reports', '/data'];
/** The menu of each role, in its order; the first is where the person lands. */
const MENUS: Record<string, readonly string[]> = {
  'li.chief': [
    ...['/now', '/sites', '/upgrades', ...EVENTS.slice(2), '/duty', '/rules', '/library', '/reports'],
    ...['/integration', '/data', '/admin'],
  ],
  viewer: EVENTS,
  owner: OWN,
  partner: ['/integration', '/data'],
  engineer: ['/integration', '/data'],
  keeper: ['/admin'],
};

const menuOf = (page: Page): Promise<string[]> =>
  page.locator('nav a').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));

/** By way of a page that is nobody's, so that what was shown before is not taken for what is there. */
async function arrive(page: Page, address: string): Promise<void> {
  await goTo(page, '/no/such/screen');
  await page.locator('.outcome-unknown').waitFor();
  await goTo(page, address);
  await page.locator('#content').locator('h1, .outcome, .ant-alert').first().waitFor();
  await page.locator('.ant-spin-spinning, .ant-skeleton-active').first().waitFor({ state: 'detached' });
}

const PEOPLE = Object.entries(MENUS).map(([user, menu], who) => ({ user, menu, who }));

test.each(firstOf(PEOPLE, 2))(
  '$user finds in the menu what they may see, and by address no more',
  async ({ user, menu, who }) => {
    const visit = await enter('/', user);
    const { page } = visit;
    await page.locator('nav a').first().waitFor();
    expect(await menuOf(page)).toEqual(menu);
    expect(new URL(page.url()).pathname).toBe(menu[0]);
    const shut: string[] = [];
    const tried = half(screens, who % 2 === 0 ? 0 : 1);
    for (const screen of tried) {
      await arrive(page, screen.address(world));
      const refused = page.getByText('You may not see this page');
      if ((await refused.count()) > 0) shut.push(screen.route);
    }
    const under = (route: string): boolean =>
      menu.some((one) => route === one || route.startsWith(`${one}/`));
    const known = tried.map(({ route }) => route);
    const open = (route: string): boolean => {
      if (route === '/site-states' || route === '/sites/$instance') return user === 'li.chief';
      if (['/library/review', '/library/questions'].includes(route)) return user === 'li.chief';
      // What calls me, and my account, are everybody's own.
      if (route === '/calls' || route === '/account') return true;
      // The alarms of who sees events stand there; the bell leads to them.
      if (route === '/admin') return menu.includes('/admin') || menu.includes('/events');
      return under(route);
    };
    expect([...new Set(shut)]).toEqual([...new Set(known.filter((route) => !open(route)))]);
    visit.check();
  },
);

test('of another tenant nothing is there: no row, no count, no suggestion, no page', async () => {
  const visit = await enter('/', 'stranger');
  const { page } = visit;
  await page.getByText('Nothing needs a person right now').waitFor();
  const theirs =
    /渣土车|三号洞口|瓦斯|隧道值班|动火|处置小结|acme|site-1|tunnel-|face-busy|土建|王班长|li\.chief|owner/;
  for (const screen of half(screens, 1)) {
    const address = screen.address(world);
    await arrive(page, address);
    const text = await page.locator('body').innerText();
    expect([address, theirs.exec(text)?.[0]]).toEqual([address, undefined]);
  }
  visit.check();
});

test('the same time everywhere with its zone, in whatever zone the browser is', async () => {
  const { occurredAt: at } = await eventAt(world.rig, world.event);
  const occurredAt = new Date(at).toISOString();
  const local = new Date(Date.parse(at) + 8 * 3_600_000).toISOString();
  const written = `${local.slice(0, 10)} ${local.slice(11, 19)} +08:00`;
  for (const [user, zone] of [
    ['li.chief', 'UTC'],
    ['owner', 'America/New_York'],
  ] as const) {
    const visit = await enter('/now', user, { zone });
    const { page } = visit;
    const time = page.locator(`#content time[datetime="${occurredAt}"]`).first();
    for (const address of ['/now', '/events', `/events/${world.event}`]) {
      await goTo(page, address);
      await until(`${address} shows the time of the site`, async () => {
        const text = (await time.innerText()).replace(/\s+/g, ' ');
        return text === written;
      });
    }
    visit.check();
    await visit.context.close();
  }
});
