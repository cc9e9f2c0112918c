import { createRequire } from 'node:module';

declare const FIELDLINE_VERSION: string | undefined;
declare const FIELDLINE_COMMIT: string | undefined;

/** Version and commit: written in by the bundler, or read from the source tree while working. */
export const version: string = typeof FIELDLINE_VERSION === 'string' ? FIELDLINE_VERSION : sourceVersion();
export const commit: string = typeof FIELDLINE_COMMIT === 'string' ? FIELDLINE_COMMIT : 'source';

function sourceVersion(): string {
  const manifest = createRequire(import.meta.url)('../package.json') as { version: string };
  return manifest.version;
}
