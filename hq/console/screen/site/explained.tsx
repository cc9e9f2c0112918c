import { Descriptions, Modal } from 'antd';
import { useWords } from '../../word/language.tsx';
import { siteStates } from './filters.ts';
import { SiteState } from './state.tsx';
import { words } from './words.ts';

const MEANINGS = { current: 'currentMeans', late: 'lateMeans', silent: 'silentMeans' } as const;

/** What each state means, with its times. */
export function StatesExplained({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const items = siteStates.toReversed().map((state) => ({
    key: state,
    label: <SiteState site={{ instance: '', state, lastSeenAt: null }} />,
    children: say(MEANINGS[state]),
  }));
  return (
    <Modal open={open} onCancel={close} footer={null} title={say('explain')} width={640}>
      <Descriptions column={1} bordered size="small" items={items} />
    </Modal>
  );
}
