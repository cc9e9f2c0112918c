// Pure: what a drafted report says. Figures stand as they were counted; people write the rest.
import type { Say } from '../../../word/catalogue.ts';
import { SIGN_OFF } from '../../knowledge/sections.ts';
import { shareOfFalse, standingOf, type Standings, sumOf, totalOf } from '../course/fold.ts';
import type { CameraCounts, HourCounts, Times } from '../queries.ts';
import type { Counted } from '../sums.ts';
import type { draftWords } from './words.ts';

export interface Readings {
  counts: Counted;
  hours: HourCounts['items'];
  hoursBefore: HourCounts['items'];
  cameras: CameraCounts;
  times: Times['all'];
}

/** How things are written in the language of whoever drafts. */
export interface Writing {
  say: Say<typeof draftWords>;
  number: (value: number) => string;
  lasting: (ms: number) => string;
  share: (sums: Standings) => string;
  typeName: (type: string) => string;
  waitName: (wait: keyof Times['all']) => string;
  camera: (camera: CameraCounts['items'][number]) => string;
  asOf: string;
}

export interface Section {
  title: string;
  text: string;
  editable?: 'human';
}

/** Types, and cameras, that a report names. */
const NAMED = 10;

export function sectionsOf(readings: Readings, writing: Writing): Record<string, Section> {
  const { say } = writing;
  const forPeople = (title: string): Section => ({ title, text: '', editable: 'human' });
  return {
    figures: { title: say('figures'), text: figuresOf(readings, writing) },
    by_type: { title: say('byType'), text: typesOf(readings.counts, writing) },
    cameras: { title: say('cameras'), text: camerasOf(readings.cameras, writing) },
    remarks: forPeople(say('remarks')),
    measures: forPeople(say('measures')),
    [SIGN_OFF]: forPeople(say('signOff')),
  };
}

function figuresOf({ counts, hours, hoursBefore, times }: Readings, writing: Writing): string {
  const { say, number, lasting, share, waitName } = writing;
  const [now, before] = [sumOf(hours), sumOf(hoursBefore)];
  const tasks = counts.tasks.filter(({ type }) => type !== 'review');
  const sum = (of: (task: (typeof tasks)[number]) => boolean): string =>
    number(tasks.filter(of).reduce((all, { count }) => all + count, 0));
  const isOpen = ({ state }: (typeof tasks)[number]): boolean => state === 'open' || state === 'taken_over';
  return [
    say('asOf', { at: writing.asOf }),
    say('events', { count: number(totalOf(now)), before: number(totalOf(before)) }),
    say('standing', {
      confirmed: number(now.confirmed),
      wrong: number(now.falseAlarm),
      merged: number(now.merged),
      open: number(now.unjudged),
    }),
    ...(shareOfFalse(now) === null ? [] : [say('share', { share: share(now) })]),
    ...(['verdict', 'takeover', 'completion'] as const).map((wait) => {
      const { count, median, ninetieth } = times[wait];
      const what = waitName(wait);
      if (median === null || ninetieth === null) return say('noWait', { what });
      return say('wait', {
        what,
        median: lasting(median),
        ninetieth: lasting(ninetieth),
        count: number(count),
      });
    }),
    say('tasks', {
      count: sum(() => true),
      done: sum(({ state }) => state === 'completed' || state === 'closed'),
      open: sum(isOpen),
      overdue: sum(({ overdue }) => overdue),
      escalated: sum(({ escalated }) => escalated),
    }),
  ].join('\n');
}

function typesOf({ events }: Counted, { say, number, share, typeName }: Writing): string {
  const types = new Map<string, Standings>();
  for (const { type, count, ...event } of events) {
    const sums = types.get(type) ?? { confirmed: 0, falseAlarm: 0, merged: 0, unjudged: 0 };
    sums[standingOf(event)] += count;
    types.set(type, sums);
  }
  const most = [...types].sort(([, a], [, b]) => totalOf(b) - totalOf(a));
  const lines = most
    .slice(0, NAMED)
    .map(([type, sums]) =>
      say('line', { name: typeName(type), count: number(totalOf(sums)), share: share(sums) }),
    );
  return [
    ...lines,
    ...(most.length > NAMED ? [say('more', { count: number(most.length - NAMED) })] : []),
  ].join('\n');
}

function camerasOf({ items }: CameraCounts, { say, number, share, camera }: Writing): string {
  const noisy = items.filter(({ falseAlarm }) => falseAlarm > 0);
  if (noisy.length === 0) return say('noCameras');
  return noisy
    .slice(0, NAMED)
    .map((one) => say('line', { name: camera(one), count: number(totalOf(one)), share: share(one) }))
    .join('\n');
}
