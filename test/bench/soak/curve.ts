// From what was looked at to what is said of it. Pure.
import { atMost, median, ms, type Row, whole } from '../table.ts';
import type { Look } from './watch.ts';

/** Steps of the curve that is printed. */
const STEPS = 12;
/** What a program takes settles within this part of the time, and within half an hour. */
const SETTLES_IN = 0.25;
const SETTLES_MS = 30 * 60_000;
/** The last part of the time, which is held against the first one after that. */
const HELD = 0.25;
/** More than this is no chance any more. */
const MORE = { memory: 1.15, handles: 1.15, answer: 2 };

type Figure = 'memory' | 'handles' | 'answerMs';

const names = (looks: readonly Look[]): string[] => [...new Set(looks.map(({ program }) => program))].sort();

const figures = (looks: readonly Look[], figure: Figure): number[] =>
  looks.flatMap((look) => look[figure] ?? []);

/** The median of a figure; NaN where there is none. */
const midOf = (looks: readonly Look[], figure: Figure): number => {
  const all = figures(looks, figure);
  return all.length === 0 ? NaN : median(all);
};

/** Lines of the curve: for each step of the time what each program took then. */
export function curveOf(looks: readonly Look[]): string {
  const end = looks.at(-1)?.at ?? 0;
  const heads = ['min', ...names(looks).map((name) => `${name}: MB, handles, disk MB, ms`)];
  const lines = Array.from({ length: STEPS }, (_, step) => {
    const [from, to] = [(end * step) / STEPS, (end * (step + 1)) / STEPS];
    const then = looks.filter(({ at }) => at >= from && at <= to);
    const cells = names(looks).map((name) => {
      const own = then.filter(({ program }) => program === name);
      const disk = own.findLast((look) => look.disk !== null)?.disk;
      return [midOf(own, 'memory'), midOf(own, 'handles'), disk ?? NaN, midOf(own, 'answerMs')]
        .map((value) => (Number.isNaN(value) ? '–' : value.toFixed(0)))
        .join(' ');
    });
    return [(to / 60_000).toFixed(1), ...cells];
  });
  const all = [heads, ...lines];
  const widths = heads.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  return all.map((line) => line.map((cell, at) => cell.padStart(widths[at] ?? 0)).join('  ')).join('\n');
}

/** Whether what each program takes is the same at the end as once it had settled. */
export function flatRows(looks: readonly Look[]): Row[] {
  const end = looks.at(-1)?.at ?? 0;
  const settled = Math.min(SETTLES_MS, end * SETTLES_IN);
  const span = (end - settled) * HELD;
  const first = looks.filter(({ at }) => at >= settled && at < settled + span);
  const last = looks.filter(({ at }) => at > end - span);
  return names(looks).flatMap((name) => {
    const [before, after] = [first, last].map((part) => part.filter(({ program }) => program === name));
    if (!before || !after) return [];
    const grown = (figure: Figure): [number, number] => [midOf(before, figure), midOf(after, figure)];
    return [
      heldRow(`${name}: memory at the end, beside that after it had settled`, grown('memory'), MORE.memory),
      heldRow(`${name}: open handles`, grown('handles'), MORE.handles),
      ...(name === 'console' ? [] : [answerRow(name, grown('answerMs'))]),
    ];
  });
}

function heldRow(what: string, [before, after]: [number, number], most: number): Row {
  const ratio = after / before;
  const row = { what: `soak, ${what}`, measured: whole(after), floor: whole(before), ratio };
  return { ...row, target: `≤ ${most}`, ok: ratio <= most };
}

function answerRow(name: string, [before, after]: [number, number]): Row {
  const ratio = after / before;
  const row = {
    what: `soak, ${name}: its newest events, median`,
    measured: ms(after),
    floor: ms(before),
    ratio,
  };
  return { ...row, target: `≤ ${MORE.answer}`, ok: ratio <= MORE.answer };
}

/** What a program writes down for an event, in the first and in the second half of the time, kB. */
export function diskRows(looks: readonly Look[], eventsOf: (program: string) => number): Row[] {
  const end = looks.at(-1)?.at ?? 0;
  return names(looks)
    .filter((name) => name !== 'console')
    .map((name) => {
      const own = looks.filter(({ program, disk }) => program === name && disk !== null);
      const at = (when: number): number => own.findLast((look) => look.at <= when)?.disk ?? NaN;
      const [begun, half, all] = [own[0]?.disk ?? NaN, at(end / 2), at(end)];
      const each = ((all - begun) * 1_000) / eventsOf(name);
      const halves = (all - half) / (half - begun);
      return {
        what: `soak, ${name}: disk for an event, pictures with it, kB`,
        measured: each.toFixed(1),
        target: `second half of the time by the first: ${halves.toFixed(2)}`,
      };
    });
}

/** Faults, of which there are to be none; the first are said. */
export function faultRow(what: string, faults: readonly string[]): Row {
  const row = atMost(`soak, ${what}`, faults.length, 0, whole);
  return faults.length === 0 ? row : { ...row, floor: faults.slice(0, 3).join('; ') };
}
