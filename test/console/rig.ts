// The console in a browser. The browser, and nearly always the hub and the site, are those of all files; a
// file has tenants and users of its own there, and each test a browser context.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { chromiumOfRun } from '../support/chromium.ts';
import { startDeployment, startHubProgram, TENANT } from '../support/deployment.ts';
import { onDemand } from '../support/on-demand.ts';
import { createHubDatabase } from '../support/postgres.ts';
import { type Program, Reachable, Scene } from '../support/process.ts';
import type { Link } from '../support/proxy.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus } from '../support/request.ts';
import { PASSWORD, type Started } from './shared.ts';

export interface VisitOptions {
  /** Of the browser, which decides the language of the console at first. */
  locale?: 'zh-CN' | 'en-GB';
  width?: 1366 | 390;
  look?: 'light' | 'dark';
  /** Of the browser. */
  zone?: string;
  /** The page asks again after half a second instead of 5: for what is to be seen without being touched. */
  quick?: boolean;
  /** The page loads every screen ahead; without it only what is opened. */
  ahead?: boolean;
  /** The service worker is at work. */
  worker?: boolean;
  /** Another than that of the run. */
  browser?: Browser;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors that the browser told in its console, and those that nothing caught. */
  faults: string[];
  /** Fills in the login and waits for the screen behind it. */
  logIn(name: string, password?: string): Promise<void>;
  /** Logs in without the form, which takes a good part of the time of a test. */
  logInUnseen(name: string): Promise<void>;
  /** Opens a path of the console. */
  open(path: string): Promise<void>;
  /** @throws when the page told an error, or asked anything of another host */
  check(): void;
}

/** What runs, and the tenants that a file uses there. */
export interface Place {
  hub: Reachable;
  /** Of the hub. */
  databaseUrl: string;
  tenant: string;
  other: string;
}

export interface Rig {
  /** What is of this file, and ends with it. */
  scene: Scene;
  /**
   * @param more left out: an operator who may do everything, whom other files may have too; anybody else is
   * of this file, logs in by this name here, and has it as the beginning of the one that headquarters knows
   */
  addUser(name: string, more?: object): Promise<void>;
  /** A browser of its own, with no cookies, for as long as the test. It opens nothing yet. */
  visit(options?: VisitOptions): Promise<Visit>;
  /** The same, logged in without the form, with the screen of a path open. */
  enter(name: string, path: string, options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

export type ConsoleRig = Rig & Place & { site: Reachable };
export type OwnHub = Rig & Place & { hub: Program };
export type OwnDeployment = OwnHub & { site: Program; link: Link };

const OWN_TENANTS = { tenant: TENANT, other: 'other' };

/** In front of the headquarters and the site that all files share, with tenants that no other file knows. */
export const openConsoleRig = async (): Promise<ConsoleRig> => rigOf(await onDemand<Started>('console'));

/** In front of what was started for the run. */
export const rigOf = ({ hub, site, ...more }: Started): Promise<ConsoleRig> =>
  rigAt(new Scene(), { hub: new Reachable(hub), site: new Reachable(site), ...more });

/**
 * For what is of a whole headquarters: its users, its alarms, its end; and for other settings than those of
 * the shared one.
 */
export async function openOwnHub(env: Record<string, string> = {}): Promise<OwnHub> {
  const scene = new Scene();
  try {
    const database = await createHubDatabase();
    scene.onClose(() => database.drop());
    const hub = await startHubProgram(scene, database.url, 'hq', env);
    return await rigAt(scene, { hub, databaseUrl: database.url, ...OWN_TENANTS });
  } catch (error) {
    await scene.close();
    throw error;
  }
}

/** The same with a site. */
export async function openOwnDeployment(): Promise<OwnDeployment> {
  const scene = new Scene();
  try {
    return await rigAt(scene, { ...(await startDeployment(scene, seededRandom(1))), ...OWN_TENANTS });
  } catch (error) {
    await scene.close();
    throw error;
  }
}

/** @param at what runs */
async function rigAt<P extends Place>(scene: Scene, at: P): Promise<Rig & P> {
  const browser = await chromiumOfRun();
  const { hub } = at;
  /** By the names of this file. */
  const known = new Map<string, string>();
  const open = (options: VisitOptions = {}): Promise<Visit> =>
    visit(options.browser ?? browser, hub, (name) => known.get(name) ?? name, options);
  return {
    ...at,
    scene,
    addUser: async (name, more) => {
      // A hub of one's own has nobody else's.
      const full = more === undefined || at.tenant === TENANT ? name : `${name}-${at.tenant}`;
      const user = { name: full, password: PASSWORD, ...(more ?? { role: 'operator' }) };
      // Another file may have been first.
      expectStatus(await hub.api('POST', '/api/core/users', user), 201, ...(more ? [] : [409]));
      known.set(name, full);
    },
    visit: open,
    enter: async (name, path, options) => {
      const one = await open(options);
      await one.logInUnseen(name);
      await one.open(path);
      await one.page.locator('#content').waitFor();
      return one;
    },
    close: () => scene.close(),
  };
}

/**
 * The page asks again every 5 s, or 15 s while headquarters is away: these waits pass ten times as fast. What
 * is shorter stays, so that a message stands as long as it does for people.
 */
const QUICKEN = `for (const name of ['setTimeout', 'setInterval']) {
  const own = window[name];
  window[name] = (handler, ms = 0, ...rest) => own(handler, ms >= 5000 ? ms / 10 : ms, ...rest);
}`;

/**
 * A test opens few screens: to load every other one ahead, as the page does for people while nothing else is
 * to be done, would be a third of the processor time of all console tests.
 */
const NEVER_IDLE = 'window.requestIdleCallback = () => 0;';

const HEIGHTS = { 1366: 768, 390: 844 } as const;

async function visit(
  browser: Browser,
  hub: Reachable,
  fullName: (name: string) => string,
  options: VisitOptions,
): Promise<Visit> {
  const { locale = 'en-GB', width = 1366, look = 'light', zone = 'UTC' } = options;
  const context = await browser.newContext({
    locale,
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: look,
    timezoneId: zone,
    reducedMotion: 'reduce',
    // What the link does is seen by tests of the page; the worker has a test of its own.
    serviceWorkers: options.worker ? 'allow' : 'block',
  });
  // A page that stays open goes on asking, and is drawn anew each time.
  onTestFinished(() => context.close());
  if (options.quick) await context.addInitScript(QUICKEN);
  if (!options.ahead) await context.addInitScript(NEVER_IDLE);
  const [faults, origins] = [[] as string[], new Set<string>()];
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol.startsWith('http')) origins.add(origin);
  });
  context.on('weberror', (error) => void faults.push(error.error().message));
  context.on('console', (message) => {
    // The browser tells by itself of each answer of 400 and above; the console shows those.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text());
  });
  const page = await context.newPage();
  return {
    page,
    context,
    faults,
    logIn: async (name, password = PASSWORD) => {
      await page.locator('input[autocomplete="username"]').fill(fullName(name));
      await page.locator('input[autocomplete="current-password"]').fill(password);
      await page.locator('button[type="submit"]').click();
      await page.locator('#content').waitFor();
    },
    logInUnseen: async (name) => {
      const answer = await context.request.post(new URL('/api/core/session/login', hub.url).href, {
        data: { name: fullName(name), password: PASSWORD },
        headers: { 'x-requested-with': 'fieldline' },
      });
      expect([answer.status(), await answer.text()]).toMatchObject([200, expect.anything()]);
    },
    open: async (target) => void (await page.goto(new URL(target, hub.url).href)),
    check: () => {
      expect(faults).toEqual([]);
      expect([...origins]).toEqual([new URL(hub.url).origin]);
    },
  };
}
