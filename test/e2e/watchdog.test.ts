// A program that hangs, under a service manager as systemd is one: it is fed while all is well, ends the
// program when it is not, and what it notes of that is counted and shown at both ends.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UnplannedEndsView } from '../../common/core/run/schema.ts';
import { firstOf } from '../support/campaign.ts';
import { type } from '../support/command.ts';
import { type Deployment, INSTANCE, startDeployment } from '../support/deployment.ts';
import { Notified } from '../support/notified.ts';
import { type Program, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import { expectStatus, jsonOf, until } from '../support/request.ts';

/** As `WatchdogSec` of the units, but sooner. */
const WATCHDOG_MS = 6_000;
const BACKOFF = path.resolve(import.meta.dirname, '../../packaging/deb/backoff.sh');
/** What systemd does of a unit with `Type=notify`, a watchdog and `ExecStopPost`. */
class Manager extends Notified {
  /** Ends the program once it was not fed for too long, and notes it. */
  async watch(program: Program, runtime: string): Promise<void> {
    await until('the watchdog is not fed', () =>
      Promise.resolve(performance.now() - this.fedAt > WATCHDOG_MS),
    );
    // A process that is stopped does not hear SIGABRT: after TimeoutAbortSec it is killed.
    process.kill(program.pid, 'SIGABRT');
    await program.kill();
    mkdirSync(runtime, { recursive: true });
    execFileSync('sh', [BACKOFF, 'note'], {
      env: {
        ...process.env,
        SERVICE_RESULT: 'watchdog',
        CORE_DATA_DIR: program.options.dataDir,
        RUNTIME_DIRECTORY: runtime,
      },
    });
  }
}

const scene = new Scene();
let deployment: Deployment;
beforeAll(async () => {
  deployment = await startDeployment(scene, seededRandom(1));
});
afterAll(() => scene.close());

const endsOf = async (program: Program): Promise<UnplannedEndsView> =>
  jsonOf(expectStatus(await program.api('GET', '/api/core/unplanned-ends'), 200));

test.each(firstOf(['site', 'hub'] as const))(
  'a frozen %s is ended by the watchdog, starts again, and its hang is counted and shown',
  async (which) => {
    const program = deployment[which];
    const manager = new Manager(scene, which);
    await manager.hears('LISTENING');
    await program.stop();
    program.env = {
      ...program.env,
      NOTIFY_SOCKET: manager.socket,
      WATCHDOG_USEC: String(WATCHDOG_MS * 1_000),
    };
    await program.start();
    await manager.hears('READY=1');
    await manager.hears('WATCHDOG=1');
    expect(await endsOf(program)).toMatchObject({ count: 0 });

    process.kill(program.pid, 'SIGSTOP');
    await manager.watch(program, path.join(scene.dir, `${which}.run`));
    await program.start();
    expect(await endsOf(program)).toMatchObject({ count: 1, hangs: 1, lastKind: 'hang' });
    const main = which === 'site' ? 'site/main.ts' : 'hq/main.ts';
    const { out } = await type(main, ['status'], { CORE_DATA_DIR: program.options.dataDir });
    expect(out).toContain('it hung');
  },
);

test('a hang of a site is shown at headquarters', async () => {
  await until('it is there', async () => {
    const detail = await deployment.hub.api('GET', `/api/core/uplink/status/${INSTANCE}`);
    const { site } = jsonOf<{ site: { report: { unplannedEnds?: UnplannedEndsView } | null } }>(
      expectStatus(detail, 200),
    );
    return site.report?.unplannedEnds?.hangs === 1;
  });
});
