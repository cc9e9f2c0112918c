import { SearchOutlined } from '@ant-design/icons';
import { useNavigate } from '@tanstack/react-router';
import { Input, type InputRef } from 'antd';
import { useRef } from 'react';
import { useKeys } from '../keyboard/keys.ts';
import { useSession } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

/** Looks in what the user may see; `/` leads here. */
export function SearchBox() {
  const say = useWords(words);
  const { can } = useSession();
  const navigate = useNavigate();
  const box = useRef<InputRef>(null);
  useKeys({ '/': () => box.current?.focus({ cursor: 'all' }) });
  const search = (text: string): void => {
    if (text.trim() !== '') void navigate({ to: '/sites', search: { q: text.trim() } });
    box.current?.blur();
  };
  if (!can('uplink.view')) return null;
  return (
    <Input
      ref={box}
      prefix={<SearchOutlined />}
      placeholder={say('search')}
      aria-label={say('searchLabel')}
      maxLength={200}
      onPressEnter={({ currentTarget }) => search(currentTarget.value)}
      onKeyDown={({ key }) => {
        if (key === 'Escape') box.current?.blur();
      }}
    />
  );
}
