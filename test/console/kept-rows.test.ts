// Without a link: what somebody saw last is there, says as of when it is, and nothing can be done from it.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { expectStatus, jsonOf, signedCall, until } from '../support/request.ts';
import { openOwnHub, type OwnHub, type Visit } from './rig.ts';

let rig: OwnHub;
let key: SigningKey;
beforeAll(async () => {
  rig = await openOwnHub();
  await rig.addUser('li');
  await rig.addUser('wang', { role: 'customer', tenant_code: 'acme', permissions: ['events.view'] });
  const node = { tenant_code: 'acme', name: 'gate' };
  key = jsonOf(expectStatus(await rig.hub.api('POST', '/api/core/nodes', node), 201));
});
afterAll(() => rig.close());

async function fall(name: string): Promise<number> {
  const event = { idempotency_key: name, type: 'person.fall', severity: 'critical', title: name };
  const body = JSON.stringify({ events: [{ ...event, camera_ref: name }] });
  const call = { url: rig.hub.url, key, method: 'POST', path: '/api/core/events', body, now: Date.now() };
  const { items } = jsonOf<{ items: { id: number }[] }>(expectStatus(await signedCall(call), 201));
  return items[0]?.id ?? 0;
}

const kept = (page: Page): Promise<string> =>
  page.evaluate<string>('localStorage.getItem("fieldline.rows") ?? ""');
const isKept = (page: Page, ...texts: string[]): Promise<void> =>
  until('it is kept', async () => {
    const text = await kept(page);
    return texts.every((one) => text.includes(one));
  }).then(() => undefined);

/** The shell and the worker that has it. */
const ready = async ({ page }: Visit): Promise<void> => {
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await until('the shell is kept', () => page.evaluate<boolean>('caches.match("/").then(Boolean)'));
};

test('the queue, the list and the event are there without a link, as of a time, and only to be looked at', async () => {
  const id = await fall('Man down at the portal');
  const visit = await rig.visit({ worker: true, quick: true });
  const { page, context } = visit;
  await visit.logInUnseen('li');
  for (const path of ['/events', '/review', `/events/${id}`]) {
    await visit.open(path);
    await page.getByText('Man down at the portal').first().waitFor();
  }
  await page.getByRole('button', { name: /Judge/ }).waitFor();
  await ready(visit);
  await isKept(page, '"unjudged"', '"pages"', '"timeline"');
  await context.setOffline(true);
  await rig.hub.stop();

  for (const path of ['/events', '/review', `/events/${id}`]) {
    await visit.open(path);
    await page.getByText(/^No link · what you see is as of \d{4}-\d\d-\d\d/).waitFor();
    await page.getByText('Man down at the portal').first().waitFor();
    expect(await page.getByRole('button', { name: /Judge|I take it/ }).count()).toBe(0);
  }
  await page.keyboard.press('v');
  expect(await page.getByRole('dialog').count()).toBe(0);

  await rig.hub.start();
  await context.setOffline(false);
  await page.getByRole('button', { name: /Judge/ }).waitFor();
  await page.getByText(/^No link/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'li', exact: true }).click();
  await page.getByText('Log out').click();
  await page.locator('input[autocomplete="username"]').waitFor();
  expect(await kept(page)).toBe('');
});

test('nothing of it is left for who logs in next, nor once the session has ended meanwhile', async () => {
  await fall('Seen by li alone');
  const visit = await rig.visit({ worker: true, quick: true });
  const { page, context } = visit;
  await visit.logInUnseen('li');
  await visit.open('/events');
  await page.getByText('Seen by li alone').first().waitFor();
  await ready(visit);
  await isKept(page, 'Seen by li alone');
  // Another person logs in to the same browser, by a page of its own.
  await context.clearCookies();
  await visit.open('/login');
  await page.locator('input[autocomplete="username"]').waitFor();
  expect(await kept(page)).toBe('');
  await visit.logIn('wang');
  await visit.open('/events');
  await page.getByText('Seen by li alone').first().waitFor();
  await isKept(page, '"name":"wang"');

  await context.setOffline(true);
  await visit.open('/events');
  await page.getByText(/^No link/).waitFor();
  await page.getByText('Seen by li alone').first().waitFor();
  // The session ends while the link is away: what was kept goes as soon as headquarters says so.
  const { items } = jsonOf<{ items: { id: string; user: string }[] }>(
    expectStatus(await rig.hub.api('GET', '/api/core/sessions'), 200),
  );
  for (const { id } of items) expectStatus(await rig.hub.api('DELETE', `/api/core/sessions/${id}`), 200);
  await context.setOffline(false);
  await page.locator('input[autocomplete="current-password"]').waitFor();
  expect(await page.getByText('Seen by li alone').count()).toBe(0);
  expect(await kept(page)).toBe('');
});
