// The last day as two drawings under each other, each with a scale of its own at its side: what was received
// in each step, and what waited for headquarters.
import type { SiteFacts } from '../schema.ts';
import { drawing, element, put } from './element.ts';
import { twoDigits } from './figure.ts';
import { say } from './language.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Units of the drawing; on a telephone it is narrower, so that its letters stay readable. */
const [HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [130, 46, 14, 8, 22];
const [NARROW, WIDE, NARROW_BELOW_PX] = [340, 720, 640];

interface Step {
  at: number;
  value: number;
}

interface Scale {
  width: number;
  step: number;
  start: number;
  end: number;
  /** The highest value that the scale shows. */
  top: number;
  x: (at: number) => number;
  y: (value: number) => number;
}

export function showHistory({ now, history, uplink }: SiteFacts): void {
  const w = say();
  const stepMs = history.stepSeconds * 1_000;
  const steps = history.steps.map((step) => ({ ...step, at: Date.parse(step.at) }));
  const of = (name: 'received' | 'backlog'): Step[] =>
    steps.map((step) => ({ at: step.at, value: step[name] }));
  put(
    'day',
    ...panel(w('intake', { m: history.stepSeconds / 60 }), of('received'), { now, stepMs }, bars),
    ...(uplink.enabled ? panel(w('backlog'), of('backlog'), { now, stepMs }, line) : []),
    element(
      'div',
      { class: 'legend' },
      element('span', { class: 'dark' }, w('notRunning')),
      element('span', { class: 'before' }, w('noRecord')),
    ),
  );
}

type Draw = (steps: readonly Step[], scale: Scale) => SVGElement[];

function panel(
  head: string,
  all: readonly Step[],
  { now, stepMs }: { now: string; stepMs: number },
  draw: Draw,
) {
  const end = Math.ceil(Date.parse(now) / stepMs) * stepMs;
  const steps = all.filter(({ at }) => at >= end - DAY_MS);
  const highest = steps.reduce<Step | null>((so, one) => (so && so.value >= one.value ? so : one), null);
  const scale = scaleOf(end, stepMs, roundUp(highest?.value ?? 0));
  const said =
    highest && highest.value > 0 ? ` · ${say()('mostAt', { n: highest.value, t: hourOf(highest.at) })}` : '';
  return [
    element('h3', { class: 'chart' }, head, element('span', { class: 'quiet' }, said)),
    drawing(
      'svg',
      { viewBox: `0 0 ${scale.width} ${HEIGHT}`, role: 'img', 'aria-label': head + said },
      ...pauses(steps, scale),
      ...levels(scale),
      ...draw(steps, scale),
      ...hours(scale),
    ),
  ];
}

function scaleOf(end: number, step: number, top: number): Scale {
  const width = innerWidth < NARROW_BELOW_PX ? NARROW : WIDE;
  const start = end - DAY_MS;
  return {
    width,
    step,
    start,
    end,
    top,
    x: (at) => LEFT + ((at - start) / DAY_MS) * (width - LEFT - RIGHT),
    y: (value) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - TOP - BOTTOM),
  };
}

/** 2, 4, 10, 20, 40, 100 …: the next one has a whole half. */
function roundUp(value: number): number {
  const ten = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return [2 * ten, 4 * ten, 10 * ten].find((top) => top >= value) ?? 10 * ten;
}

/** Lines at nothing, the half and the whole of the scale, with their values. */
const levels = ({ top, width, y }: Scale): SVGElement[] =>
  [0, top / 2, top].flatMap((value) => [
    drawing('line', {
      class: value === 0 ? 'axis' : 'level',
      x1: LEFT,
      x2: width - RIGHT,
      y1: y(value),
      y2: y(value),
    }),
    drawing('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, shortly(value)),
  ]);

const shortly = (value: number): string => (value >= 10_000 ? `${value / 1_000}k` : String(value));

/** Where the site did not run, and what lies before its first record; the last two steps may come yet. */
function* pauses(steps: readonly Step[], { x, start, end, step }: Scale): Iterable<SVGElement> {
  const ran = new Set(steps.map(({ at }) => at));
  const [first = end] = ran;
  const last = end - 2 * step;
  for (let at = start; at < last; at += step) {
    if (ran.has(at)) continue;
    let until = at;
    while (until < last && !ran.has(until)) until += step;
    yield drawing('rect', {
      class: at < first ? 'before' : 'off',
      x: x(at).toFixed(1),
      y: TOP,
      width: (x(until) - x(at)).toFixed(1),
      height: HEIGHT - TOP - BOTTOM,
    });
    at = until;
  }
}

const bars: Draw = (steps, { x, y }) =>
  steps
    .filter(({ value }) => value > 0)
    .map(({ at, value }) =>
      drawing('rect', {
        class: 'bar',
        x: x(at).toFixed(1),
        y: y(value).toFixed(1),
        width: 2,
        height: (HEIGHT - BOTTOM - y(value)).toFixed(1),
      }),
    );

const line: Draw = (steps, { x, y, step }) => {
  const points = steps.map(({ at, value }, index) =>
    [at - (steps[index - 1]?.at ?? 0) === step ? 'L' : 'M', x(at).toFixed(1), ' ', y(value).toFixed(1)].join(
      '',
    ),
  );
  return points.length === 0 ? [] : [drawing('path', { class: 'wait', d: points.join('') })];
};

function hourOf(at: number): string {
  const date = new Date(at);
  return `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`;
}

const hours = ({ x, start }: Scale): SVGElement[] =>
  [0, 6, 12, 18, 24].map((hour) => {
    const at = start + hour * HOUR_MS;
    const anchor = hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle';
    return drawing('text', { x: x(at).toFixed(0), y: HEIGHT - 6, 'text-anchor': anchor }, hourOf(at));
  });
