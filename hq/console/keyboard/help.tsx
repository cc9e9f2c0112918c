import { Descriptions, Modal } from 'antd';
import { useState } from 'react';
import { words } from '../shell/words.ts';
import { useWords } from '../word/language.tsx';
import { useKeys } from './keys.ts';

const LINES = [
  ['/', 'keySearch'],
  ['?', 'keyHelp'],
  ['j  k', 'keyMove'],
  ['Enter', 'keyOpen'],
  ['Esc', 'keyBack'],
] as const;

/** `?` shows what keys there are. */
export function KeyboardHelp() {
  const say = useWords(words);
  const [open, setOpen] = useState(false);
  useKeys({ '?': () => setOpen(true) });
  const items = LINES.map(([key, word]) => ({ key, label: <kbd>{key}</kbd>, children: say(word) }));
  return (
    <Modal open={open} onCancel={() => setOpen(false)} footer={null} title={say('keys')}>
      <Descriptions column={1} size="small" items={items} />
    </Modal>
  );
}
