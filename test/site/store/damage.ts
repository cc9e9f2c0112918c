// Damage to the files of a store at rest, and which of its pages it touches.
import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import type { Random } from '../../support/random.ts';
import type { FilledStore } from './filled.ts';

const PAGE = 4096;
const FRAME = PAGE + 24;
export const DAMAGES = ['flips', 'zeroed', 'random', 'cut', 'half', 'header', 'one flip'] as const;
export type Damage = (typeof DAMAGES)[number];

export interface Damaged {
  kind: string;
  what: string;
  /** Pages of which the copy that counts was touched. */
  touched: Set<number>;
}

export function damage(dir: string, base: FilledStore, kind: Damage, random: Random): Damaged {
  const inLog = base.log.length > 0 && kind !== 'half' && kind !== 'header' && random.chance(0.5);
  const file = `${dir}/site.db${inLog ? '-wal' : ''}`;
  const bytes = readFileSync(file);
  const touched = new Set<number>();
  const touch = (at: number): void => {
    if (!inLog) {
      const page = Math.floor(at / PAGE) + 1;
      if (!base.log.some((frame) => frame.page === page)) touched.add(page);
      return;
    }
    const frame = base.log[Math.floor((at - 32) / FRAME)];
    if (at >= 32 && frame?.newest === true) touched.add(frame.page);
    // Without its last frame a transaction was not committed.
    if (frame?.commit === true)
      for (const one of base.log) if (one.transaction === frame.transaction) touched.add(one.page);
  };
  const length = inLog ? 32 + base.log.length * FRAME : bytes.length;
  const what = apply({ bytes, length, touch, random, unit: inLog ? FRAME : PAGE }, kind);
  if (what.cut === null) writeFileSync(file, bytes);
  else truncateSync(file, what.cut);
  return {
    kind: kind === 'one flip' ? 'flips' : kind,
    what: `${inLog ? 'log' : 'file'} ${what.text}`,
    touched,
  };
}

interface Target {
  bytes: Buffer;
  length: number;
  touch: (at: number) => void;
  random: Random;
  unit: number;
}

function apply(
  { bytes, length, touch, random, unit }: Target,
  kind: Damage,
): { text: string; cut: number | null } {
  const spoil = (from: number, to: number, byte: () => number): void => {
    for (let at = from; at < Math.min(to, length); at += 1) {
      bytes[at] = byte();
      touch(at);
    }
  };
  if (kind === 'flips' || kind === 'one flip') {
    const places = Array.from({ length: kind === 'one flip' ? 1 : random.whole(2, 20) }, () =>
      random.whole(0, length - 1),
    );
    for (const at of places) spoil(at, at + 1, () => (bytes[at] ?? 0) ^ (1 << random.whole(0, 7)));
    return { text: `bits at ${places.join(', ')}`, cut: null };
  }
  if (kind === 'cut' || kind === 'half') {
    const cut = kind === 'half' ? Math.floor(length / 2) : random.whole(0, length - 1);
    for (let at = cut; at < length; at += 1) touch(at);
    return { text: `at ${cut}`, cut };
  }
  if (kind === 'header') {
    spoil(0, 100, () => random.whole(0, 255));
    return { text: 'the first 100 bytes', cut: null };
  }
  const places = Array.from(
    { length: random.whole(1, 6) },
    () => random.whole(0, Math.floor(length / unit)) * unit + random.pick([0, random.whole(0, unit - 1)]),
  );
  for (const at of places)
    spoil(at, at + random.pick([512, PAGE, PAGE, 8 * PAGE]), () =>
      kind === 'zeroed' ? 0 : random.whole(0, 255),
    );
  return { text: `at ${places.join(', ')}`, cut: null };
}
