// Plans of sites: drawn from a picture or a page of a PDF, cameras placed on them, and alerts that light up.
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INSTANCE } from '../support/deployment.ts';
import { longTest } from '../support/long.ts';
import { pdf } from '../support/pdf.ts';
import { expectStatus, jsonOf } from '../support/request.ts';
import { FieldCamera } from './field.ts';
import { type ConsoleRig, openConsoleRig, type Visit } from './rig.ts';

let rig: ConsoleRig;
let camera: FieldCamera;
beforeAll(async () => {
  rig = await openConsoleRig();
  camera = await FieldCamera.open(rig);
  await rig.addUser('chief');
  await rig.addUser('guard', { role: 'customer', tenant_code: rig.tenant });
});
afterAll(() => rig.close());

interface Stored {
  id: string;
  name: string;
  picture: { contentType: string };
  pins: { cameraRef: string; name: string | null; x: number; y: number }[];
}
const stored = async (name: string): Promise<Stored | undefined> => {
  const answer = await rig.hub.api('GET', `/api/core/plans?tenant_code=${rig.tenant}`);
  const line = jsonOf<{ items: Stored[] }>(answer).items.find((one) => one.name === name);
  return line && jsonOf<Stored>(await rig.hub.api('GET', `/api/core/plans/${line.id}`));
};

/** Gives a file to the form of a new plan. */
async function add({ page }: Visit, name: string, file: { name: string; mimeType: string; buffer: Buffer }) {
  await page.getByRole('button', { name: 'Add a plan' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Tenant').fill(rig.tenant);
  await dialog.getByLabel('Site', { exact: true }).fill(INSTANCE);
  await dialog.getByLabel('Name').fill(name);
  await dialog.locator('input[type=file]').setInputFiles(file);
  return dialog;
}

test('a picture becomes a plan; a camera is placed on it, lights up, and leads to its alert', async () => {
  const picture = await sharp({
    create: { width: 800, height: 400, channels: 3, background: { r: 240, g: 240, b: 235 } },
  })
    .png()
    .toBuffer();
  const visit = await rig.enter('chief', '/plans');
  const { page } = visit;
  const dialog = await add(visit, 'Ground floor', {
    name: 'floor.png',
    mimeType: 'image/png',
    buffer: picture,
  });
  await dialog.getByRole('button', { name: 'Save' }).click();
  const sheet = page.locator('.plan-sheet');
  await sheet.locator('img[alt="Plan of Ground floor"]').waitFor();

  await page.getByRole('button', { name: 'Place cameras' }).click();
  await page.getByRole('combobox', { name: 'Camera', exact: true }).fill('crane-5');
  await page.getByRole('button', { name: 'Put it on the plan' }).click();
  await page.getByText('Click where crane-5 is').waitFor();
  const { width = 0, height = 0 } = (await sheet.boundingBox()) ?? {};
  await sheet.click({ position: { x: width / 4, y: height / 2 } });
  await page.getByRole('textbox', { name: 'Name: crane-5' }).fill('East crane');
  await page.locator('.plan-moved').focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: 'East crane: no alert waits' }).waitFor();
  const { pins: [pin] = [], picture: kept } = (await stored('Ground floor')) ?? {};
  expect(kept).toMatchObject({ contentType: 'image/webp' });
  expect(pin).toMatchObject({ cameraRef: 'crane-5', name: 'East crane' });
  expect(pin?.x).toBeCloseTo(0.26, 1);
  expect(pin?.y).toBeCloseTo(0.5, 1);

  const alert = {
    title: 'Load above people',
    type: 'crane.load',
    severity: 'critical',
    camera_ref: 'crane-5',
  };
  const { id } = await camera.post(alert);
  await camera.post({ ...alert, title: 'Nobody placed this one', camera_ref: 'gate-77' });
  await page.getByText(/gate-77/).waitFor();
  await page.getByRole('link', { name: 'East crane: 1 alerts wait, Critical' }).click();
  await page.waitForURL(new RegExp(`/events/${id}$`));
  await page.getByRole('heading', { name: 'Load above people' }).waitFor();
  await page.getByRole('button', { name: 'Name the camera' }).click();
  const naming = page.getByRole('dialog');
  await naming.getByLabel('Name').fill('Crane by the river');
  await naming.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Crane by the river · crane-5').waitFor();
  await page.getByRole('link', { name: 'on the plan “Ground floor”' }).click();
  await page.getByRole('link', { name: /^Crane by the river: / }).waitFor();
  visit.check();
});

longTest('a page of a PDF becomes a plan; what cannot be drawn is said in the form', async () => {
  const visit = await rig.enter('chief', '/plans');
  const { page } = visit;
  const pages = ['one', 'two'].map((text) => [[100, 700, text]] as const);
  const drawing = { name: 'drawing.pdf', mimeType: 'application/pdf', buffer: pdf(pages) };
  const dialog = await add(visit, 'From a drawing', drawing);
  await dialog.getByLabel('Page of the PDF').fill('3');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('This PDF has 2 pages').waitFor();
  await dialog.getByLabel('Page of the PDF').fill('2');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.locator('img[alt="Plan of From a drawing"]').waitFor();
  expect(await stored('From a drawing')).toMatchObject({ picture: { contentType: 'image/webp' } });
  const text = { name: 'notes.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  const other = await add(visit, 'No drawing', text);
  await other.getByRole('button', { name: 'Save' }).click();
  await other.getByText('This file cannot be read; choose a picture or a PDF').waitFor();
  expect(await stored('No drawing')).toBeUndefined();
  visit.check();
});

test('no camera is called quiet before the answer has come, nor while not all was looked at', async () => {
  const visit = await rig.visit();
  await visit.logInUnseen('guard');
  const { page } = visit;
  let answer: (body: object) => void = () => undefined;
  const told = new Promise<object>((tell) => (answer = tell));
  await page.route(/\/api\/core\/events\/unjudged/, async (route) => route.fulfill({ json: await told }));
  await visit.open(`/plans?plan=${(await stored('Ground floor'))?.id}`);
  await page.getByRole('link', { name: 'Crane by the river: whether an alert waits is not known' }).waitFor();
  answer({ items: [], rows: 0, events: 2_000, more: true });
  await page.getByText('Not all alerts that wait are looked at here').waitFor();
  await page.getByRole('link', { name: 'Crane by the river: whether an alert waits is not known' }).waitFor();
  visit.check();
});

longTest('who saves what another has changed meanwhile is told, and changes nothing', async () => {
  const { id, name = '' } = (await stored('Ground floor')) ?? {};
  const visit = await rig.enter('chief', `/plans?plan=${id}`, { quick: true });
  const { page } = visit;
  await page.getByRole('button', { name: 'Place cameras' }).click();
  await page.getByRole('textbox', { name: 'Name: crane-5' }).fill('Mine');
  const theirs = { name, pins: [{ camera_ref: 'crane-5', name: 'Theirs', x: 0.5, y: 0.5 }] };
  expectStatus(await rig.hub.api('PUT', `/api/core/plans/${id}`, theirs), 200);
  // The page asks anew when it is looked at again, and knows of the change then.
  const known = page.waitForResponse((one) => one.url().endsWith(`/api/core/plans/${id}`));
  await page.evaluate('window.dispatchEvent(new Event("visibilitychange"))');
  await known;
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The plan was changed since you have read it').waitFor();
  expect((await stored('Ground floor'))?.pins).toMatchObject([{ name: 'Theirs' }]);
  visit.check();
});

test('who belongs to the tenant sees its plans and changes none; another tenant sees none', async () => {
  await rig.addUser('elsewhere', { role: 'customer', tenant_code: rig.other });
  const own = await rig.enter('guard', '/plans');
  await own.page.locator('.plan-sheet img').waitFor();
  expect(await own.page.getByRole('button', { name: /Add a plan|Place cameras|Remove/ }).count()).toBe(0);
  own.check();
  const foreign = await rig.enter('elsewhere', '/plans');
  await foreign.page.getByText('There is no plan yet').waitFor();
  foreign.check();
});
