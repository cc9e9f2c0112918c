// A site and its headquarters of which both say that all is well, so that a test may take something away.
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'vitest';
import type { SigningKey } from '../../common/http/signing/signature.ts';
import { type } from './command.ts';
import { alarms, type Deployment, type DeploymentOptions, startDeployment } from './deployment.ts';
import { longTest } from './long.ts';
import { type Program, Scene } from './process.ts';
import { seededRandom } from './random.ts';
import { expectStatus, jsonOf, signedCall, until } from './request.ts';

export const WELL = 'ALL IS WELL';
export interface Well extends Deployment {
  scene: Scene;
  /** A camera's event. @returns its id at the site */
  post: (id: string) => Promise<number>;
}

type Tried = (name: string, run: (at: Well) => Promise<void>, options?: DeploymentOptions) => void;

/** Most of each is waiting for a look that comes once a minute: they wait side by side. */
const whileWellBy =
  (tried: Pick<typeof test, 'concurrent'>): Tried =>
  (name, run, options = {}) =>
    tried.concurrent(name, { timeout: 400_000 }, async () => {
      const scene = new Scene();
      try {
        await run(await well(scene, options));
      } finally {
        await scene.close();
      }
    });
export const whileWell = whileWellBy(test);
export const longWhileWell = whileWellBy(longTest);

async function well(scene: Scene, options: DeploymentOptions): Promise<Well> {
  const deployment = await startDeployment(scene, seededRandom(1), options);
  const { site, hub } = deployment;
  const made = await site.api('POST', '/api/core/nodes', { tenant_code: 'acme', name: 'gate' });
  const key = jsonOf<SigningKey>(expectStatus(made, 201));
  const post = async (id: string): Promise<number> => {
    const body = JSON.stringify({ idempotency_key: id, type: 'fire.smoke' });
    const asked = { url: site.url, key, method: 'POST', path: '/api/core/events', body };
    const { items } = jsonOf<{ items: { id: number }[] }>(expectStatus(await signedCall(asked), 201));
    return items[0]?.id ?? 0;
  };
  for (let n = 0; n < 5; n += 1) await post(`before-${n}`);
  // What is said falsely must be said truly before: otherwise these tests prove nothing.
  for (const program of [site, hub]) await wellAgain(program);
  return { ...deployment, scene, post };
}

async function status({ options: { main, dataDir } }: Program): Promise<string> {
  const { out, err } = await type(main, ['status'], { CORE_DATA_DIR: dataDir });
  return out + err;
}

/** Each asking starts a process, and others wait for the processors beside it. */
const ASK_AGAIN_MS = 1_000;

const says = (program: Program, what: string, fits: (said: string) => boolean): Promise<unknown> =>
  until(what, async () => fits(await status(program)) || (await pause(ASK_AGAIN_MS, false)));
export const saysMore = (program: Program, what: RegExp): Promise<unknown> =>
  says(program, `status says ${what.source}`, (said) => !said.includes(WELL) && what.test(said));
export const wellAgain = (program: Program): Promise<unknown> =>
  says(program, 'all is well', (said) => said.includes(WELL));
/** Asked of the program itself, since the command costs a start each time. */
export const stands = (program: Program, key: string, whether = true): Promise<unknown> =>
  until(`the alarm ${key} ${whether ? 'stands' : 'is over'}`, async () => {
    const standing = (await alarms(program, false)).some((alarm) => alarm.key === key);
    return standing === whether;
  });
