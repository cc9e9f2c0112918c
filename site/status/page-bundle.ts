import { fileURLToPath } from 'node:url';

/** Put in when the program is bundled (packaging/build.mjs). */
declare const FIELDLINE_STATUS_SCRIPT: string | undefined;

/** The script of the status page as browsers get it: page/main.ts and what it imports, in one file. */
export async function bundlePageScript(): Promise<string> {
  const { build, stop } = await import('esbuild');
  try {
    const { outputFiles } = await build({
      entryPoints: [fileURLToPath(new URL('./page/main.ts', import.meta.url))],
      bundle: true,
      write: false,
      platform: 'browser',
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      legalComments: 'none',
      minifySyntax: true,
      minifyWhitespace: true,
      lineLimit: 160,
      logLevel: 'silent',
      // Not the project's own file: the build must not depend on where it lies.
      tsconfigRaw: {},
    });
    return outputFiles[0]?.text ?? '';
  } finally {
    await stop();
  }
}

let bundled: Promise<string> | null = null;

/** A program that runs from its source bundles the script once, when it is first asked for. */
export const pageScript = (): Promise<string> =>
  (bundled ??=
    typeof FIELDLINE_STATUS_SCRIPT === 'string'
      ? Promise.resolve(FIELDLINE_STATUS_SCRIPT)
      : bundlePageScript());
