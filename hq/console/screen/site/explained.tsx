import { Descriptions } from 'antd';
import { Page } from '../../page/page.tsx';
import { useWords } from '../../word/language.tsx';
import { siteStates } from './filters.ts';
import { SiteState } from './state.tsx';
import { words } from './words.ts';

const MEANINGS = {
  current: 'currentMeans',
  late: 'lateMeans',
  silent: 'silentMeans',
  away: 'awayMeans',
} as const;
const FIGURES = ['oldest', 'parked', 'shed', 'disk', 'clock'] as const;
const FIGURE_MEANINGS = {
  oldest: 'oldestMeans',
  parked: 'parkedMeans',
  shed: 'shedMeans',
  disk: 'diskMeans',
  clock: 'clockMeans',
} as const;

/** What does each state mean, with its times, and what do the figures of the list count? */
export function StatesExplained() {
  const say = useWords(words);
  const states = siteStates.toReversed().map((state) => ({
    key: state,
    label: <SiteState site={{ instance: '', state, lastSeenAt: null }} bare />,
    children: say(MEANINGS[state]),
  }));
  const figures = FIGURES.map((key) => ({ key, label: say(key), children: say(FIGURE_MEANINGS[key]) }));
  return (
    <Page title={say('explain')} under={say('notToldMeans')}>
      <Descriptions column={1} bordered size="small" items={[...states, ...figures]} className="explained" />
    </Page>
  );
}
