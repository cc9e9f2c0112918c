// A clock that only tests move.
import type { Clock } from '../../common/clock.ts';

/** 2026-03-01T00:00:00Z, epoch milliseconds. */
export const TEST_START = Date.UTC(2026, 2, 1);

export const SECOND = 1_000;
export const HOUR = 3_600_000;

/**
 * Wall and monotonic time are set by hand; ids are the same in every run, shaped like UUIDs and ascending.
 */
export class TestClock implements Clock {
  wall: number;
  elapsed = 0;
  #issued = 0;
  #series: number;

  /** @param series tells the ids of two clocks apart, 0 to 65535 */
  constructor(wall = TEST_START, series = 0) {
    this.wall = wall;
    this.#series = series;
  }

  now(): number {
    return this.wall;
  }

  monotonic(): number {
    return this.elapsed;
  }

  newId(): string {
    this.#issued += 1;
    const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
    return `00000000-${hex(this.#series, 4)}-4000-8000-${hex(this.#issued, 12)}`;
  }

  /** Time passes: both clocks move. @param ms milliseconds, 0 or more */
  advance(ms: number): void {
    this.wall += ms;
    this.elapsed += ms;
  }

  /** The wall clock is set, forward or back, and nothing else happens. */
  step(ms: number): void {
    this.wall += ms;
  }
}
