/** What the builder may be told by the environment. */
export interface PackageConfig {
  /** Instead of the version of package.json: for trying upgrades. */
  version: string | null;
  /** Seconds that every file bears instead of the time of the last commit. */
  sourceDateEpoch: number | null;
  environment: NodeJS.ProcessEnv;
}

export function readPackageConfig(env: NodeJS.ProcessEnv = process.env): PackageConfig {
  return {
    version: env.FIELDLINE_PACKAGE_VERSION ?? null,
    sourceDateEpoch: env.SOURCE_DATE_EPOCH === undefined ? null : Number(env.SOURCE_DATE_EPOCH),
    environment: env,
  };
}
