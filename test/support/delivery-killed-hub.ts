// A hub that dies without warning at the point of a delivery that the file `kill-at` names, once; the file
// `clock` says how far its clock is ahead.
import { readFileSync, renameSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../common/clock.ts';
import { silentLogger } from '../../common/log.ts';
import { startHub } from '../../hq/app.ts';
import { readHubConfig } from '../../hq/config.ts';

const { SCENE = '', ...env } = process.env;
const read = (name: string): string => readFileSync(path.join(SCENE, name), 'utf8');

function dieAt(step: string): void {
  try {
    if (read('kill-at') !== step) return;
    // Of two processes only one gets it.
    renameSync(path.join(SCENE, 'kill-at'), path.join(SCENE, `killed-${process.pid}`));
  } catch (error) {
    if ((error as { code?: string }).code === 'ENOENT') return;
    throw error;
  }
  process.kill(process.pid, 'SIGKILL');
}

const hub = await startHub(readHubConfig(env), {
  clock: { ...systemClock, now: () => systemClock.now() + Number(read('clock')) },
  log: silentLogger(),
  onDeliveryStep: dieAt,
});
process.once('SIGTERM', () => void hub.stop());
