// Names what hangs while it hangs. The time limits of tests are for a machine under load and far off; until
// they strike, a run that stands still would not say at which test.
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node';

/** A test that has run for this many milliseconds is named, and again after each further such time. */
const NAMED_AFTER_MS = 50_000;
const LOOK_EVERY_MS = 5_000;

interface Running {
  name: string;
  moduleId: string;
  since: number;
  timesNamed: number;
}

type Hook = Parameters<NonNullable<Reporter['onHookStart']>>[0];

export default class HangReporter implements Reporter {
  #namedAfterMs: number;
  #running = new Map<string, Running>();
  #timer: NodeJS.Timeout;

  constructor({ namedAfterMs = NAMED_AFTER_MS, lookEveryMs = LOOK_EVERY_MS } = {}) {
    this.#namedAfterMs = namedAfterMs;
    this.#timer = setInterval(() => this.#look(), lookEveryMs).unref();
  }

  onTestModuleQueued(module: TestModule): void {
    this.#begin(`import ${module.id}`, module, `${module.relativeModuleId} (loading)`);
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.delete(`import ${module.id}`);
  }

  /** Whatever the order in which its events came, nothing of a module that ended still runs. */
  onTestModuleEnd(module: TestModule): void {
    for (const [key, one] of this.#running) if (one.moduleId === module.id) this.#running.delete(key);
  }

  onTestCaseReady(test: TestCase): void {
    if (test.result().state !== 'pending') return;
    this.#begin(`test ${test.id}`, test.module, `${test.module.relativeModuleId} > ${test.fullName}`);
  }

  onTestCaseResult(test: TestCase): void {
    this.#running.delete(`test ${test.id}`);
  }

  onHookStart(hook: Hook): void {
    const { entity } = hook;
    const module = entity.type === 'module' ? entity : entity.module;
    this.#begin(keyOf(hook), module, `${placeOf(entity)} (${hook.name})`);
  }

  onHookEnd(hook: Hook): void {
    this.#running.delete(keyOf(hook));
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer);
  }

  #begin(key: string, module: TestModule, name: string): void {
    this.#running.set(key, { name, moduleId: module.id, since: performance.now(), timesNamed: 0 });
  }

  #look(): void {
    for (const one of this.#running.values()) {
      const ranMs = performance.now() - one.since;
      if (ranMs < this.#namedAfterMs * (one.timesNamed + 1)) continue;
      one.timesNamed += 1;
      process.stderr.write(`still running after ${Math.round(ranMs / 1000)} s: ${one.name}\n`);
    }
  }
}

const keyOf = ({ name, entity }: Hook): string => `hook ${name} ${entity.id}`;

function placeOf(entity: TestCase | TestSuite | TestModule): string {
  if (entity.type === 'module') return entity.relativeModuleId;
  return `${entity.module.relativeModuleId} > ${entity.fullName}`;
}
