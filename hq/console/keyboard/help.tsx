import { useState } from 'react';
import { later } from '../app/later.tsx';
import { useKeys } from './keys.ts';

const KeyList = later(
  async () => (await import('./key-list.tsx')).KeyList,
  () => null,
);

/** `?` shows what keys there are. */
export function KeyboardHelp() {
  const [opened, setOpened] = useState(false);
  const [open, setOpen] = useState(false);
  useKeys({
    '?': () => {
      setOpened(true);
      setOpen(true);
    },
  });
  // Kept from then on, so that it is also seen to close.
  return opened && <KeyList open={open} close={() => setOpen(false)} />;
}
