// The description of the API as a page, at headquarters and at a site: drawn in a browser, from nowhere else.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { firstOf } from '../support/campaign.ts';
import { expectStatus, jsonOf, request } from '../support/request.ts';
import { type ConsoleRig, openConsoleRig } from './rig.ts';

let rig: ConsoleRig;
beforeAll(async () => {
  rig = await openConsoleRig();
});
afterAll(() => rig.close());

test.each(firstOf(['hub', 'site'] as const))(
  'the %s shows its operations and asks no other host',
  async (which) => {
    const { url } = rig[which];
    const description = jsonOf<{ info: { title: string }; tags: { name: string }[] }>(
      expectStatus(await request({ url, method: 'GET', path: '/openapi.json' }), 200),
    );
    const visit = await rig.visit();
    const { page } = visit;
    const origins = new Set<string>();
    page.on('request', (one) => {
      const { protocol, origin } = new URL(one.url());
      if (protocol.startsWith('http')) origins.add(origin);
    });
    await visit.open(`${url}/docs`);
    await page.getByRole('heading', { name: description.info.title }).waitFor();
    await page.locator('.opblock-tag').last().waitFor();
    expect(await page.locator('.opblock-tag').count()).toBe(description.tags.length);
    await page.locator('.opblock-tag[data-tag="Events"]').click();
    const list = page.locator('.opblock').filter({ hasText: '/api/core/events/list' });
    await list.locator('.opblock-summary-control').click();
    await list.getByText('test events only with').first().waitFor();
    await list.getByText('include_test').first().waitFor();
    expect(await page.evaluate<boolean>(WIDE)).toBe(false);
    // Drawn once for both widths and looks: a page of the whole API takes seconds.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    await list.getByText('include_test').first().waitFor();
    expect(await page.evaluate<boolean>(WIDE)).toBe(false);
    expect(visit.faults).toEqual([]);
    expect([...origins]).toEqual([new URL(url).origin]);
  },
);

test('its files are sent with gzip and without, and let no script stand in a page', async () => {
  for (const { url } of [rig.hub, rig.site]) {
    const page = expectStatus(await request({ url, method: 'GET', path: '/docs' }), 200);
    const policy = String(page.headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'; script-src 'self'");
    expect(policy).not.toContain('unsafe');
    const path = '/docs/viewer.js';
    const headers = { 'Accept-Encoding': 'gzip' };
    const small = expectStatus(await request({ url, method: 'GET', path, headers }), 200);
    const whole = expectStatus(await request({ url, method: 'GET', path }), 200);
    expect([small.headers['content-encoding'], whole.headers['content-encoding']]).toEqual([
      'gzip',
      undefined,
    ]);
    expect(Number(small.headers['content-length'])).toBeLessThan(500_000);
    expect(whole.text).toContain('SwaggerUIBundle');
  }
});

/** Whether the page scrolls sideways. */
const WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
