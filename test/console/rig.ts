// The console in a browser, on a hub and a site that run: started once for a file.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { startChromium } from '../support/chromium.ts';
import { type Deployment, startDeployment } from '../support/deployment.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus } from '../support/request.ts';

export const PASSWORD = 'correct horse battery';

export interface VisitOptions {
  /** Of the browser, which decides the language of the console at first. */
  locale?: 'zh-CN' | 'en-GB';
  width?: 1366 | 390;
  look?: 'light' | 'dark';
  /** Of the browser. */
  zone?: string;
  /** The page asks again after half a second instead of 5: for what is to be seen without being touched. */
  quick?: boolean;
}

export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors that the browser told in its console, and those that nothing caught. */
  faults: string[];
  /** Fills in the login and waits for the screen behind it. */
  logIn(name: string, password?: string): Promise<void>;
  /** Opens a path of the console. */
  open(path: string): Promise<void>;
  /** @throws when the page told an error, or asked anything of another host */
  check(): void;
}

export interface ConsoleRig extends Deployment {
  scene: Scene;
  addUser(name: string, more?: object): Promise<void>;
  /** A browser of its own, with no cookies, for as long as the test. It opens nothing yet. */
  visit(options?: VisitOptions): Promise<Visit>;
  close(): Promise<void>;
}

/**
 * @param hubEnv more of the hub's configuration
 * @param siteEnv more of the site's
 */
export async function openConsoleRig(
  hubEnv: Record<string, string> = {},
  siteEnv: Record<string, string> = {},
): Promise<ConsoleRig> {
  const scene = new Scene();
  try {
    const browser = await startChromium();
    scene.onClose(() => browser.close());
    const deployment = await startDeployment(scene, seededRandom(1), hubEnv, siteEnv);
    const { hub } = deployment;
    return {
      ...deployment,
      scene,
      addUser: async (name, more = { role: 'operator' }) => {
        expectStatus(await hub.api('POST', '/api/core/users', { name, password: PASSWORD, ...more }), 201);
      },
      visit: (options = {}) => visit(browser, hub, options),
      close: () => scene.close(),
    };
  } catch (error) {
    await scene.close();
    throw error;
  }
}

/**
 * The page asks again every 5 s, or 15 s while headquarters is away: these waits pass ten times as fast. What
 * is shorter stays, so that a message stands as long as it does for people.
 */
const QUICKEN = `for (const name of ['setTimeout', 'setInterval']) {
  const own = window[name];
  window[name] = (handler, ms = 0, ...rest) => own(handler, ms >= 5000 ? ms / 10 : ms, ...rest);
}`;

const HEIGHTS = { 1366: 768, 390: 844 } as const;

async function visit(browser: Browser, hub: Program, options: VisitOptions): Promise<Visit> {
  const { locale = 'en-GB', width = 1366, look = 'light', zone = 'UTC' } = options;
  const context = await browser.newContext({
    locale,
    viewport: { width, height: HEIGHTS[width] },
    colorScheme: look,
    timezoneId: zone,
    reducedMotion: 'reduce',
  });
  // A page that stays open goes on asking, and is drawn anew each time.
  onTestFinished(() => context.close());
  if (options.quick) await context.addInitScript(QUICKEN);
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
      await page.locator('input[autocomplete="username"]').fill(name);
      await page.locator('input[autocomplete="current-password"]').fill(password);
      await page.locator('button[type="submit"]').click();
      await page.locator('#content').waitFor();
    },
    open: async (target) => void (await page.goto(new URL(target, hub.url).href)),
    check: () => {
      expect(faults).toEqual([]);
      expect([...origins]).toEqual([new URL(hub.url).origin]);
    },
  };
}
