/** What was looked at, and what was found: each check stands by itself, and all are counted at the end. */
export class Checks {
  passed = 0;
  failed = 0;
  #figures: [what: string, value: string][] = [];

  /** Runs one check and says how it went; the run goes on after a failure. */
  async check(what: string, look: () => Promise<void> | void): Promise<void> {
    const started = performance.now();
    try {
      await look();
      this.passed += 1;
      process.stdout.write(`ok    ${what} (${((performance.now() - started) / 1000).toFixed(1)} s)\n`);
    } catch (error) {
      this.failed += 1;
      process.stdout.write(`FAIL  ${what}: ${(error as Error).message}\n`);
    }
  }

  /** Runs a part of checks; what ends it early counts as a failure, and the other parts go on. */
  async part(name: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.failed += 1;
      process.stdout.write(`FAIL  ${name} could not go on: ${(error as Error).message}\n`);
    }
  }

  /** A figure with its bound; above it is a failure. */
  atMost(what: string, value: number, bound: number, unit: string): void {
    const fits = value <= bound;
    this[fits ? 'passed' : 'failed'] += 1;
    this.#figures.push([
      what,
      `${value.toFixed(value < 10 ? 2 : 1)} ${unit}, at most ${bound} ${unit}: ${fits ? 'ok' : 'ABOVE'}`,
    ]);
  }

  figure(what: string, value: string): void {
    this.#figures.push([what, value]);
  }

  print(): void {
    const width = Math.max(0, ...this.#figures.map(([what]) => what.length));
    for (const [what, value] of this.#figures) process.stdout.write(`${what.padEnd(width)}  ${value}\n`);
    process.stdout.write(`${this.passed} passed, ${this.failed} failed\n`);
  }
}

export function expectEqual(found: unknown, wanted: unknown, what: string): void {
  const [a, b] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (a !== b) throw new Error(`${what}: found ${a}, wanted ${b}`);
}

export function expectMatch(found: string, wanted: RegExp, what: string): void {
  if (!wanted.test(found)) throw new Error(`${what}: ${wanted} is not in: ${found.slice(-1_000)}`);
}
