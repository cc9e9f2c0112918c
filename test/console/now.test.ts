// What needs a person, as each user sees it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { alarms } from '../support/deployment.ts';
import { longTest } from '../support/long.ts';
import { clientOf } from '../support/postgres.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { eventAt, FieldCamera } from './field.ts';
import { openOwnDeployment, type OwnDeployment, type Visit } from './rig.ts';

let rig: OwnDeployment;
let camera: FieldCamera;
beforeAll(async () => {
  rig = await openOwnDeployment();
  camera = await FieldCamera.open(rig);
  await rig.addUser('chief');
  await rig.addUser('clerk', { role: 'customer', tenant_code: 'acme', permissions: ['events.view'] });
  await rig.addUser('watcher', {
    role: 'customer',
    tenant_code: 'acme',
    permissions: ['events.view', 'tasks.manage'],
  });
  await rig.addUser('stranger', { role: 'customer', tenant_code: 'other' });
});
afterAll(() => rig.close());

const now = (user: string): Promise<Visit> => rig.enter(user, '/now', { quick: true });

const section = ({ page }: Visit, title: RegExp) =>
  page.locator('.now', { has: page.getByRole('heading', { name: title }) });

async function overdueTask(title: string): Promise<void> {
  const body = {
    tenant_code: 'acme',
    type: 'disposal',
    title,
    severity: 'critical',
    due_at: '2026-01-01T00:00:00Z',
  };
  expectStatus(await rig.hub.api('POST', '/api/core/objects/tasks', body), 201);
}

/** An alarm of the hub itself, which stands until a person has dealt with it. */
async function raiseAlarm(): Promise<void> {
  const client = clientOf(rig.hub.env.DATABASE_URL ?? '');
  await client.connect();
  try {
    await client.query(
      `insert into alarms (key, instance, tenant_code, severity, message, raised_at, last_at, count)
       values ('disk_low', 'hq', null, 'warning', 'The disk fills up', 1, 1, 1),
              ('store_hurt', 'hq', null, 'critical', 'The store is hurt', 2, 2, 1)`,
    );
  } finally {
    await client.end();
  }
}

test('each line leads to where it is settled, and is gone when it is', async () => {
  const visit = await now('chief');
  const { page } = visit;
  await page.getByText('Nothing needs a person right now').waitFor();
  const event = await camera.post({ title: 'Fire at the gate', severity: 'critical' });
  await overdueTask('Put it out');
  await section(visit, /Overdue/)
    .getByRole('link', { name: 'Put it out' })
    .waitFor();
  const severe = section(visit, /Severe events/);
  await severe.getByRole('link', { name: 'All' }).click();
  await page.locator(`[data-row-key="${event.id}"]`).waitFor();
  expect(new URL(page.url()).searchParams.get('verdict')).toBe('none');
  await page.goBack();
  await severe.getByRole('link', { name: 'Fire at the gate' }).click();
  await page.getByRole('button', { name: /Judge/ }).click();
  await page.getByRole('radio', { name: 'Confirmed' }).check();
  await page.keyboard.press('Control+Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await eventAt(rig, event.id)).verdict).toBe('confirmed');
  await visit.open('/now');
  await section(visit, /Overdue/).waitFor();
  await severe.waitFor({ state: 'detached' });
  visit.check();
});

/** Counts what would be heard: a browser of a test has no loudspeaker. */
const HEARD = `window.heard = 0;
  window.AudioContext = class extends AudioContext {
    constructor() { super(); window.heard += 1; }
  };`;

longTest(
  'the title of the tab counts the alerts that wait, and a new one sounds unless that is switched off',
  async () => {
    const visit = await rig.visit({ quick: true });
    const { page } = visit;
    await visit.context.addInitScript(HEARD);
    await visit.logInUnseen('watcher');
    await camera.post({ title: 'There before', severity: 'critical' });
    await visit.open('/tasks');
    const counts = (title: string) => expect.poll(() => page.title(), { timeout: 60_000 }).toBe(title);
    await counts('(1) Tasks · Fieldline');
    expect(await page.evaluate('window.heard')).toBe(0);
    await camera.post({ title: 'Of no hurry', severity: 'low' });
    await camera.post({ title: 'Comes now', severity: 'high' });
    await counts('(2) Tasks · Fieldline');
    expect(await page.evaluate('window.heard')).toBe(1);
    await page.getByRole('button', { name: 'watcher' }).click();
    await page.getByRole('menuitem', { name: 'Sound for new alerts: on' }).click();
    await camera.post({ title: 'Comes in silence', severity: 'high' });
    await counts('(3) Tasks · Fieldline');
    expect(await page.evaluate('window.heard')).toBe(1);
    // It stays so for this browser, and the count goes with the screen.
    await visit.open('/events');
    await counts('(3) Events · Fieldline');
    await page.getByRole('button', { name: 'watcher' }).click();
    await page.getByRole('menuitem', { name: 'Sound for new alerts: off' }).waitFor();
    visit.check();
  },
);

test('alarms stand worst first, and are cleared by who may', async () => {
  await raiseAlarm();
  const visit = await now('chief');
  const { page } = visit;
  const lines = section(visit, /Alarms/).getByRole('listitem');
  await lines.first().waitFor();
  expect(await lines.first().innerText()).toContain('The store is hurt');
  await lines.first().getByRole('button', { name: 'Dealt with' }).click();
  await page.getByRole('textbox', { name: 'Note (optional)' }).fill('checked the disk');
  await page.getByRole('dialog').getByRole('button', { name: 'Dealt with' }).click();
  await lines.filter({ hasText: 'The store is hurt' }).waitFor({ state: 'detached' });
  expect((await alarms(rig.hub)).find(({ key }) => key === 'store_hurt')?.clearedAt).not.toBeNull();
  const audit = jsonOf<{ items: { actor: string }[] }>(
    expectStatus(await rig.hub.api('GET', '/api/core/audit?action=alarm.cleared'), 200),
  );
  expect(audit.items[0]?.actor).toContain('chief');
  visit.check();
});

test('counts and lines are of what the user may see', async () => {
  await camera.post({ title: 'Seen by acme', severity: 'high' });
  await overdueTask('Not for clerks');
  const clerk = await now('clerk');
  await section(clerk, /Severe events/)
    .getByText('Seen by acme')
    .waitFor();
  expect(await clerk.page.getByText('Not for clerks').count()).toBe(0);
  expect(await clerk.page.getByRole('button', { name: 'Dealt with' }).count()).toBe(0);
  expect(await clerk.page.getByText('The disk fills up').count()).toBe(0);
  const stranger = await now('stranger');
  await stranger.page.getByText('Nothing needs a person right now').waitFor();
  clerk.check();
  stranger.check();
});

longTest('while the hub is away the lines stay, and the page says since when they are old', async () => {
  await overdueTask('Still to do');
  const visit = await now('chief');
  const { page } = visit;
  await section(visit, /Overdue/).waitFor();
  await rig.hub.stop();
  await page
    .getByText(/does not answer · What you see is as of/)
    .first()
    .waitFor();
  expect(
    await section(visit, /Overdue/)
      .getByRole('link', { name: 'Still to do' })
      .count(),
  ).toBe(1);
  visit.check();
});
