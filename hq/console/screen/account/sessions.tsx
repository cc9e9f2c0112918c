import { useQuery } from '@tanstack/react-query';
import { Button, Card, Flex, Popconfirm, type TableColumnsType, Tag, Tooltip } from 'antd';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { defineList, whole } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { browserOf } from '../admin/browser.ts';
import { words } from './words.ts';

type Session = Answer<'/api/core/sessions', 'get'>['items'][number];

const SessionList = defineList<Session>({ keyOf: ({ id }) => id, useColumns });

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
      <SessionList list={list} none={say('noSessions')} />
    </Card>
  );
}

function useColumns(): TableColumnsType<Session> {
  const say = useWords(words);
  return [
    {
      key: 'browser',
      title: say('browser'),
      render: (_, { userAgent, current }) => (
        <Flex gap="small">
          <Tooltip title={userAgent}>
            <span className="cut">{browserOf(userAgent)}</span>
          </Tooltip>
          {current && <Tag color="processing">{say('current')}</Tag>}
        </Flex>
      ),
    },
    { key: 'ip', title: say('address'), render: (_, { ip }) => ip },
    { key: 'began', title: say('began'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    { key: 'seen', title: say('lastSeen'), render: (_, { lastSeenAt }) => <Time at={lastSeenAt} ago /> },
    { key: 'end', title: say('actions'), render: (_, one) => !one.current && <End id={one.id} /> },
  ];
}

/** This one is ended by logging out. */
function End({ id }: { id: string }) {
  const say = useWords(words);
  const { run, pending } = useAct({
    act: () => answerOf(api.DELETE('/api/core/sessions/{id}', { params: { path: { id } } })),
    changes: [['sessions']],
    done: () => say('ended'),
  });
  return (
    <Popconfirm
      title={say('endSure')}
      okText={say('end')}
      cancelText={say('cancel')}
      onConfirm={() => run(undefined)}
    >
      <Button size="small" danger loading={pending}>
        {say('end')}
      </Button>
    </Popconfirm>
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
