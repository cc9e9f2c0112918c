import type { Pin } from './queries.ts';

type Point = Pick<Pin, 'x' | 'y'>;

/** Of width and height, for one press of a key. */
const STEP = 0.01;
/** Finer than a pixel of the largest picture. */
const PLACES = 10_000;

const within = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * PLACES) / PLACES;

/** Where a point of the window is on the picture, as shares of its width and height. */
export const pointOn = (
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
  x: number,
  y: number,
): Point => ({ x: within((x - left) / width), y: within((y - top) / height) });

const STEPS: Partial<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** @returns null for any other key */
export function moved({ x, y }: Point, key: string): Point | null {
  const step = STEPS[key];
  return step ? { x: within(x + step[0]), y: within(y + step[1]) } : null;
}
