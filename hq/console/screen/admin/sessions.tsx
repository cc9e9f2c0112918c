import { Flex } from 'antd';
import { whole } from '../../list/define.tsx';
import { useWords } from '../../word/language.tsx';
import { SessionList } from '../session/list.tsx';
import { useSessions } from './queries.ts';
import { words } from './words.ts';

export function Sessions() {
  const say = useWords(words);
  const sessions = useSessions();
  const list = whole(sessions, sessions.data?.items);
  return (
    <Flex vertical gap="middle">
      <span className="quiet">
        {say('count', { count: list.rows.length })} {sessions.data?.hasMore && say('more')}
      </span>
      <SessionList list={list} everyones />
    </Flex>
  );
}
