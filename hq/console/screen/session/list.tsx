import { Button, Flex, Popconfirm, type TableColumnsType, Tag, Tooltip } from 'antd';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { defineList, type List } from '../../list/define.tsx';
import { useAct } from '../../page/act.ts';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { browserOf } from './browser.ts';
import { words } from './words.ts';

export type Session = Answer<'/api/core/sessions', 'get'>['items'][number];

const keyOf = ({ id }: Session): string => id;
const Own = defineList<Session>({ keyOf, useColumns: () => useSessionColumns(false) });
const Everyones = defineList<Session>({ keyOf, useColumns: () => useSessionColumns(true) });

/** Where somebody is logged in. @param everyones whether it says who, and when it ends by itself */
export function SessionList({ list, everyones = false }: { list: List<Session>; everyones?: boolean }) {
  const say = useWords(words);
  const Sessions = everyones ? Everyones : Own;
  return <Sessions list={list} none={say('noSessions')} />;
}

function useSessionColumns(everyones: boolean): TableColumnsType<Session> {
  const say = useWords(words);
  const here = (one: Session) => one.current && <Tag color="processing">{say('current')}</Tag>;
  const who: TableColumnsType<Session> = [
    {
      key: 'name',
      title: say('user'),
      render: (_, one) => (
        <Flex gap="small">
          <strong className="name">{one.name}</strong>
          {here(one)}
        </Flex>
      ),
    },
    { key: 'tenant', title: say('tenant'), render: (_, { tenantCode }) => tenantCode },
  ];
  return [
    ...(everyones ? who : []),
    {
      key: 'browser',
      title: say('browser'),
      render: (_, one) => (
        <Flex gap="small">
          <Tooltip title={one.userAgent}>
            <span className="cut">{browserOf(one.userAgent)}</span>
          </Tooltip>
          {!everyones && here(one)}
        </Flex>
      ),
    },
    { key: 'ip', title: say('address'), render: (_, { ip }) => ip },
    { key: 'began', title: say('began'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    { key: 'seen', title: say('lastSeen'), render: (_, { lastSeenAt }) => <Time at={lastSeenAt} ago /> },
    ...(everyones
      ? [
          {
            key: 'expires',
            title: say('expires'),
            render: (_: unknown, { expiresAt }: Session) => <Time at={expiresAt} />,
          },
        ]
      : []),
    { key: 'end', title: say('actions'), render: (_, one) => <End session={one} /> },
  ];
}

/** The one of this browser is ended by logging out. */
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
