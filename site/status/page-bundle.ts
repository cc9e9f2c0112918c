import { fileURLToPath } from 'node:url';

/** Put in when the program is bundled (packaging/build.mjs). */
declare const FIELDLINE_STATUS_PAGE: PageBundle | undefined;

/** What the status page loads, as browsers get it. */
export interface PageBundle {
  /** page/main.ts and what it imports, in one file. */
  script: string;
  style: string;
}

export async function bundlePage(): Promise<PageBundle> {
  const { build, stop } = await import('esbuild');
  const folder = fileURLToPath(new URL('./page/', import.meta.url));
  try {
    const { outputFiles } = await build({
      entryPoints: { script: `${folder}main.ts`, style: `${folder}page.css` },
      outdir: folder,
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
    const textOf = (name: string): string => outputFiles.find(({ path }) => path.endsWith(name))?.text ?? '';
    return { script: textOf('script.js'), style: textOf('style.css') };
  } finally {
    await stop();
  }
}

let bundled: Promise<PageBundle> | null = null;

/** A program that runs from its source bundles the page once, when it is first asked for. */
export const pageBundle = (): Promise<PageBundle> =>
  (bundled ??=
    typeof FIELDLINE_STATUS_PAGE === 'object' ? Promise.resolve(FIELDLINE_STATUS_PAGE) : bundlePage());
