// The headquarters and the site that the console's tests share: started once for a run.
import { type Deployment, startDeployment, TENANT } from '../support/deployment.ts';
import type { TestDatabase } from '../support/postgres.ts';
import type { ProgramOptions, Scene } from '../support/process.ts';
import { seededRandom } from '../support/random.ts';
import type { Maker } from '../support/served.ts';

/** Of every user of the tests. */
export const PASSWORD = 'correct horse battery';

/** Where they run, and the two tenants of the file that asks. */
export interface Started {
  hub: ProgramOptions;
  site: ProgramOptions;
  databaseUrl: string;
  tenant: string;
  other: string;
}

const HUB = {
  CORE_DATASET_NETWORKS: '127.0.0.0/8',
  CORE_WEBHOOK_NETWORKS: '127.0.0.0/8',
  CORE_OPERATOR_TENANT: 'head',
  CORE_EVALUATION_TENANT: 'trial',
};

/** A site says with its registration whose it is; files are fewer. */
const PAIRS = Array.from({ length: 60 }, (_, index) => {
  const number = String(index + 1).padStart(2, '0');
  return { tenant: `builder-${number}`, other: `rival-${number}` };
});

export async function consoleOfRun(scene: Scene, database: TestDatabase): ReturnType<Maker> {
  scene.onClose(() => database.drop());
  const tenants = [TENANT, ...PAIRS.flatMap(({ tenant, other }) => [tenant, other])];
  const deployment = await startDeployment(scene, seededRandom(1), { hubEnv: HUB, tenants, database });
  const free = PAIRS.values();
  return () => {
    const pair = free.next().value;
    if (!pair) throw new Error('more files ask for the shared console than there are tenants');
    return { ...placeOf(deployment), ...pair };
  };
}

export const placeOf = ({ hub, site, databaseUrl }: Deployment): Omit<Started, 'tenant' | 'other'> => ({
  hub: { ...hub.options, env: hub.env },
  site: { ...site.options, env: site.env },
  databaseUrl,
});
