import { Button, Flex, Popconfirm, type TableColumnsType, Tag, Tooltip } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { defineList, whole } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { browserOf } from './browser.ts';
import { type Session, useSessions } from './queries.ts';
import { words } from './words.ts';

const SessionList = defineList<Session>({ keyOf: ({ id }) => id, useColumns });

export function Sessions() {
  const say = useWords(words);
  const sessions = useSessions();
  const list = whole(sessions, sessions.data?.items);
  return (
    <Flex vertical gap="middle">
      <span className="quiet">
        {say('count', { count: list.rows.length })} {sessions.data?.hasMore && say('more')}
      </span>
      <SessionList list={list} none={say('noSessions')} />
    </Flex>
  );
}

function useColumns(): TableColumnsType<Session> {
  const say = useWords(words);
  return [
    {
      key: 'name',
      title: say('user'),
      render: (_, { name, current }) => (
        <Flex gap="small">
          <strong className="name">{name}</strong>
          {current && <Tag color="processing">{say('current')}</Tag>}
        </Flex>
      ),
    },
    { key: 'tenant', title: say('tenant'), render: (_, { tenantCode }) => tenantCode },
    { key: 'ip', title: say('address'), render: (_, { ip }) => ip },
    {
      key: 'browser',
      title: say('browser'),
      render: (_, { userAgent }) => (
        <Tooltip title={userAgent}>
          <span className="cut">{browserOf(userAgent)}</span>
        </Tooltip>
      ),
    },
    { key: 'began', title: say('began'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    { key: 'seen', title: say('lastSeen'), render: (_, { lastSeenAt }) => <Time at={lastSeenAt} ago /> },
    { key: 'expires', title: say('expires'), render: (_, { expiresAt }) => <Time at={expiresAt} /> },
    { key: 'end', title: say('actions'), render: (_, one) => <End session={one} /> },
  ];
}

/** One's own is ended by logging out. */
function End({ session: { id, name, current } }: { session: Session }) {
  const say = useWords(words);
  const { run, pending } = useAct({
    act: () => answerOf(api.DELETE('/api/core/sessions/{id}', { params: { path: { id } } })),
    changes: [['sessions']],
    done: () => say('ended'),
  });
  if (current) return null;
  return (
    <Popconfirm
      title={say('endSure', { name })}
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
