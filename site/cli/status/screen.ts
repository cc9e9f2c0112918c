import { type Language, sayer } from '../../../common/message.ts';
import { fold } from '../../../common/terminal/fold.ts';
import { displayWidth } from '../../../common/terminal/table.ts';
import type { SiteFacts } from '../../status/schema.ts';
import { span } from '../amounts.ts';
import {
  alarmLines,
  cameraLines,
  clockLine,
  dataLines,
  diskLine,
  type Line,
  runLines,
  storingLine,
  type Tone,
  uplinkLines,
  wearLine,
} from './lines.ts';
import { statusMessages } from './status-messages.ts';

const COLOURS: Record<Tone, string> = {
  good: '\u001b[32m',
  look: '\u001b[33m',
  bad: '\u001b[31m',
  plain: '',
};

export interface ScreenForm {
  language: Language;
  colour: boolean;
  /** Width of the terminal; null folds no line. */
  columns: number | null;
  /** Whether the configuration names headquarters that the running site does not use yet. */
  restartWanted?: boolean;
}

/** What the site says of itself; a change of its configuration that waits for a restart needs a look. */
export const stateShown = (facts: SiteFacts, restartWanted: boolean): SiteFacts['state'] =>
  restartWanted && facts.state === 'well' ? 'look' : facts.state;

/** With less room beside the names than this, columns, nothing is folded. */
const NARROWEST = 20;

/** One screen for a technician. Pure. */
export function statusScreen(
  facts: SiteFacts,
  { language, colour, columns, restartWanted = false }: ScreenForm,
): string {
  const w = sayer(statusMessages, language);
  const state = stateShown(facts, restartWanted);
  const now = Date.parse(facts.now);
  const age = (since: string): string => span(now - Date.parse(since), w);
  const lines: Line[] = [
    {
      name: w('site'),
      tone: 'plain',
      text: [
        facts.instance,
        `${w('version')} ${facts.version}`,
        `${w('up')} ${span(facts.uptimeSeconds * 1000, w)}`,
      ].join(w('comma')),
    },
    storingLine(facts, w),
    ...uplinkLines(facts, { w, age, language, restartWanted }),
    diskLine(facts, w, language),
    wearLine(facts, w),
    clockLine(facts, w, age),
    ...dataLines(facts, { w, age, language }),
    ...runLines(facts, w, age),
    ...cameraLines(facts, { w, age, language }),
    ...alarmLines(facts, { w, age, language }),
  ];
  const width = Math.max(...lines.map(({ name }) => displayWidth(name)));
  const paint = (tone: Tone, text: string): string =>
    colour && tone !== 'plain' ? `${COLOURS[tone]}${text}\u001b[0m` : text;
  const why = [
    ...new Set(
      lines
        .filter(({ name, tone }) => name !== '' && (tone === 'look' || tone === 'bad'))
        .map(({ name, headline }) => headline ?? name),
    ),
  ];
  const reasons = state === 'well' || why.length === 0 ? '' : `${w('colon')}${why.join(w('comma'))}`;
  const head = paint(state === 'well' ? 'good' : state, `● ${w(state)}${reasons}`);
  const room = columns === null ? Infinity : Math.max(NARROWEST, columns - width - 2);
  const shown = lines.flatMap(({ name, tone, text }) =>
    fold(text, room).map(
      (part, at) =>
        `${at === 0 ? name : ''}${' '.repeat(width - displayWidth(at === 0 ? name : ''))}  ` +
        `${paint(tone, part)}\n`,
    ),
  );
  return `${head}\n\n${shown.join('')}`;
}
