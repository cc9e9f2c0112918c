import { Tag } from 'antd';
import { useWords } from '../../../word/language.tsx';
import type { SiteSettings } from './queries.ts';
import { words } from './words.ts';

const COLOURS = {
  waiting: 'default',
  trying: 'blue',
  in_force: 'green',
  taken_back: 'gold',
  refused: 'red',
} as const satisfies Record<SiteSettings['state'], string>;

/** What became of what was set last. */
export function SettingsState({ settings: { version, state } }: { settings: SiteSettings }) {
  const say = useWords(words);
  return version === 0 ? (
    <span className="quiet">{say('never')}</span>
  ) : (
    <Tag color={COLOURS[state]}>{say(state)}</Tag>
  );
}
