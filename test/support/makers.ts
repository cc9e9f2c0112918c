// What is started once for all files of a run, when the first of them asks for it.
import { copyTemplate, type TestDatabase } from './postgres.ts';
import { programsBuilt } from './programs.ts';
import type { Maker } from './served.ts';

/** By the name that files ask for; loaded when they do, since most runs of a few files need none of it. */
export function makers(postgresUrl: string, hubTemplate: string): Record<string, Maker> {
  const database = (): Promise<TestDatabase> => copyTemplate(postgresUrl, hubTemplate);
  return {
    programs: async () => {
      await programsBuilt();
      return () => null;
    },
    browser: async (scene) => (await import('./chromium.ts')).browserOfRun(scene),
    console: async (scene) => (await import('../console/shared.ts')).consoleOfRun(scene, await database()),
    'console-world': async (scene) =>
      (await import('../console/matrix/fill.ts')).worldOfRun(scene, await database()),
  };
}
