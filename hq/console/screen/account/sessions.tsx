import { useQuery } from '@tanstack/react-query';
import { Button, Card, Popconfirm } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { whole } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { SessionList } from '../session/list.tsx';
import { words } from './words.ts';

/** Where one is logged in, this browser among them; every other can be ended. */
export function OwnSessions() {
  const say = useWords(words);
  const { identity } = useSession();
  const sessions = useQuery({
    ...LIVE,
    queryKey: ['sessions', identity.name],
    queryFn: () => {
      const query = { user: identity.name, limit: 1000 };
      return answerOf(api.GET('/api/core/sessions', { params: { query } }));
    },
  });
  const list = whole(sessions, sessions.data?.items);
  return (
    <Card
      size="small"
      title={say('sessions')}
      extra={list.rows.some(({ current }) => !current) && <EndOthers />}
    >
      <SessionList list={list} />
    </Card>
  );
}

function EndOthers() {
  const say = useWords(words);
  const { run, pending } = useAct({
    act: () => answerOf(api.DELETE('/api/core/sessions')),
    changes: [['sessions']],
    done: ({ ended: count }) => say('endedOthers', { count }),
  });
  return (
    <Popconfirm
      title={say('endOthersSure')}
      okText={say('end')}
      cancelText={say('cancel')}
      onConfirm={() => run(undefined)}
    >
      <Button size="small" danger loading={pending}>
        {say('endOthers')}
      </Button>
    </Popconfirm>
  );
}
