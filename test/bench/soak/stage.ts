// What a soak runs: three sites with fifty cameras, a hub on a Postgres that syncs, whoever pulls from them,
// and a console that stays open.
import path from 'node:path';
import type { Browser, CDPSession } from 'playwright-core';
import type { SigningKey } from '../../../common/http/signing/signature.ts';
import { CameraClient, FeedbackListener } from '../../support/camera-client.ts';
import { startChromium } from '../../support/chromium.ts';
import {
  registerNode,
  registerSite,
  startHubProgram,
  startSiteProgram,
  TENANT,
  uplinkEnv,
} from '../../support/deployment.ts';
import { Consumer, Ledger } from '../../support/ledger.ts';
import { createDatabase, startTestPostgres } from '../../support/postgres.ts';
import type { Program, Scene } from '../../support/process.ts';
import { Link } from '../../support/proxy.ts';
import type { Random } from '../../support/random.ts';
import { expectStatus } from '../../support/request.ts';

const SITES = 3;
const CAMERAS = 50;
const USER = { name: 'soak', password: 'correct horse battery staple', role: 'operator' };

export interface SiteSide {
  name: string;
  program: Program;
  link: Link;
  /** Of its cameras. */
  key: SigningKey;
  ledger: Ledger;
  cameras: readonly CameraClient[];
  consumer: Consumer;
  /** Verdicts that its cameras heard. */
  ear: FeedbackListener;
}

export interface Stage {
  hub: Program;
  databaseUrl: string;
  sites: readonly SiteSide[];
  consumer: Consumer;
  /** Of the page of the console. */
  console: CDPSession;
  random: Random;
}

export async function openStage(scene: Scene, random: Random): Promise<Stage> {
  const postgres = await startTestPostgres({ fsync: 'on', synchronous_commit: 'on' });
  scene.onClose(() => postgres.stop());
  const { url: databaseUrl } = await createDatabase(postgres.url);
  const hub = await startHubProgram(scene, databaseUrl);
  const sites: SiteSide[] = [];
  for (let no = 1; no <= SITES; no += 1) sites.push(await siteSide(scene, hub, random, no));
  const consumer = new Consumer('soak', (...call) => hub.api(...call));
  await consumer.register();
  expectStatus(await hub.api('POST', '/api/core/users', USER), 201);
  const browser = await startChromium();
  scene.onClose(() => browser.close());
  return { hub, databaseUrl, sites, consumer, console: await consoleOf(browser, hub.url), random };
}

async function siteSide(scene: Scene, hub: Program, random: Random, no: number): Promise<SiteSide> {
  const name = `site-${no}`;
  const link = new Link(hub.options.port, random);
  await link.listen();
  scene.onClose(() => link.close());
  const keyFile = path.join(scene.dir, `${name}.key`);
  await registerSite(hub, keyFile, [TENANT], name);
  const env = { ...uplinkEnv(link.url, keyFile), CORE_INSTANCE: name, CORE_UPLINK_INTERVAL_MS: '2000' };
  const program = await startSiteProgram(scene, { ...env, CORE_UPLINK_EVIDENCE: 'low' }, name);
  const key = await registerNode(program, 'cameras');
  const ear = new FeedbackListener(() => key);
  await ear.listen();
  scene.onClose(() => ear.close());
  const ledger = new Ledger();
  const count = Math.ceil((CAMERAS - no + 1) / SITES);
  const cameras = Array.from({ length: count }, (_, index) => {
    const camera = `${name}-camera-${index + 1}`;
    return new CameraClient({ name: camera, url: program.url, key, ledger, feedbackUrl: ear.url });
  });
  scene.onClose(() => cameras.forEach((camera) => camera.close()));
  const consumer = new Consumer('soak', (...call) => program.api(...call));
  await consumer.register();
  return { name, program, link, key, ledger, cameras, consumer, ear };
}

/** Logged in, on the list of events, which it keeps up to date by itself. */
async function consoleOf(browser: Browser, url: string): Promise<CDPSession> {
  const page = await (await browser.newContext({ viewport: { width: 1366, height: 768 } })).newPage();
  await page.goto(`${url}/events`);
  await page.locator('input[autocomplete="username"]').fill(USER.name);
  await page.locator('input[autocomplete="current-password"]').fill(USER.password);
  await page.locator('button[type="submit"]').click();
  await page.locator('main').first().waitFor();
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  return session;
}
