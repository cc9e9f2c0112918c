// The last day as a drawing: what came in each step, what waited for headquarters, when the site did not run.
import type { SiteFacts } from '../schema.ts';
import { drawing, element, put } from './element.ts';
import { twoDigits } from './figure.ts';
import { say } from './language.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Units of the drawing; on a telephone it is narrower, so that its letters stay readable. */
const [HEIGHT, SIDE, TOP, BOTTOM] = [170, 8, 18, 22];
const [NARROW, WIDE, NARROW_BELOW_PX] = [340, 720, 640];

interface Step {
  at: number;
  received: number;
  backlog: number;
}

interface Scale {
  width: number;
  step: number;
  start: number;
  end: number;
  x: (at: number) => number;
  /** @param part of the highest, 0 to 1 */
  y: (part: number) => number;
}

export function showHistory({ now, history, uplink }: SiteFacts): void {
  const scale = scaleOf(Date.parse(now), history.stepSeconds * 1_000);
  const steps = history.steps
    .map((step) => ({ ...step, at: Date.parse(step.at) }))
    .filter(({ at }) => at >= scale.start);
  const most = Math.max(0, ...steps.map(({ received }) => received));
  const deepest = Math.max(0, ...steps.map(({ backlog }) => backlog));
  const picture = drawing(
    'svg',
    { viewBox: `0 0 ${scale.width} ${HEIGHT}`, role: 'img', 'aria-label': say().day },
    ...pauses(steps, scale),
    ...bars(steps, most, scale),
    waitingLine(steps, deepest, scale),
    drawing('line', {
      class: 'axis',
      x1: SIDE,
      x2: scale.width - SIDE,
      y1: HEIGHT - BOTTOM,
      y2: HEIGHT - BOTTOM,
    }),
    ...hours(scale),
  );
  const phrases = say();
  const key = (kind: string, text: string): HTMLElement => element('span', { class: kind }, text);
  put(
    'day',
    picture,
    element(
      'div',
      { class: 'legend' },
      key('in', `${phrases.intake} (${phrases.max} ${most})`),
      uplink.enabled ? key('waiting', `${phrases.backlog} (${phrases.max} ${deepest})`) : null,
      key('dark', phrases.notRunning),
    ),
  );
}

function scaleOf(now: number, step: number): Scale {
  const width = innerWidth < NARROW_BELOW_PX ? NARROW : WIDE;
  const end = Math.ceil(now / step) * step;
  const start = end - DAY_MS;
  return {
    width,
    step,
    start,
    end,
    x: (at) => SIDE + ((at - start) / DAY_MS) * (width - 2 * SIDE),
    y: (part) => HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM),
  };
}

/** Where the site did not run; the last two steps may not have been written yet. */
function* pauses(steps: readonly Step[], { x, start, end, step }: Scale): Iterable<SVGElement> {
  const ran = new Set(steps.map(({ at }) => at));
  const last = end - 2 * step;
  for (let at = start; at < last; at += step) {
    if (ran.has(at)) continue;
    let until = at;
    while (until < last && !ran.has(until)) until += step;
    yield drawing('rect', {
      class: 'off',
      x: x(at).toFixed(1),
      y: TOP,
      width: (x(until) - x(at)).toFixed(1),
      height: HEIGHT - TOP - BOTTOM,
    });
    at = until;
  }
}

function bars(steps: readonly Step[], most: number, { x, y }: Scale): SVGElement[] {
  return steps
    .filter(({ received }) => received > 0)
    .map(({ at, received }) =>
      drawing('rect', {
        class: 'bar',
        x: x(at).toFixed(1),
        y: y(received / most).toFixed(1),
        width: 2,
        height: (HEIGHT - BOTTOM - y(received / most)).toFixed(1),
      }),
    );
}

function waitingLine(steps: readonly Step[], deepest: number, { x, y, step }: Scale): SVGElement | null {
  if (deepest === 0) return null;
  const points = steps.map(({ at, backlog }, index) =>
    [
      at - (steps[index - 1]?.at ?? 0) === step ? 'L' : 'M',
      x(at).toFixed(1),
      ' ',
      y(backlog / deepest).toFixed(1),
    ].join(''),
  );
  return drawing('path', { class: 'wait', d: points.join('') });
}

function hours({ x, start }: Scale): SVGElement[] {
  return [0, 6, 12, 18, 24].map((hour) => {
    const date = new Date(start + hour * HOUR_MS);
    const anchor = hour === 0 ? 'start' : hour === 24 ? 'end' : 'middle';
    return drawing(
      'text',
      { x: x(date.getTime()).toFixed(0), y: HEIGHT - 6, 'text-anchor': anchor },
      `${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`,
    );
  });
}
