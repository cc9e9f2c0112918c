import { Descriptions, Modal } from 'antd';
import { words } from '../shell/words.ts';
import { useWords } from '../word/language.tsx';

const LINES = [
  ['/', 'keySearch'],
  ['?', 'keyHelp'],
  ['j  k', 'keyMove'],
  ['Enter', 'keyOpen'],
  ['Esc', 'keyBack'],
] as const;

/** What keys there are. */
export function KeyList({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const items = LINES.map(([key, word]) => ({ key, label: <kbd>{key}</kbd>, children: say(word) }));
  return (
    <Modal open={open} onCancel={close} footer={null} title={say('keys')}>
      <Descriptions column={1} size="small" items={items} />
    </Modal>
  );
}
