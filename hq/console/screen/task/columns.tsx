import { Link } from '@tanstack/react-router';
import { Tag, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { Due, StateTag } from './labels.tsx';
import type { Task } from './queries.ts';
import { words } from './words.ts';

/** @param tenants with a column for the tenant, for who sees several */
export function useColumns(tenants: boolean): TableColumnsType<Task> {
  const say = useWords(words);
  return useMemo(
    () => [
      { key: 'due', title: say('due'), render: (_, task) => <Due task={task} /> },
      { key: 'state', title: say('state'), render: (_, task) => <StateTag task={task} /> },
      {
        key: 'severity',
        title: say('severity'),
        render: (_, { severity }) => <SeverityTag severity={severity} />,
      },
      { key: 'name', title: say('name'), render: (_, task) => <Name task={task} /> },
      {
        key: 'site',
        title: say('site'),
        render: (_, { instance }) => <Cut text={instance ?? say('atHeadquarters')} />,
      },
      ...(tenants
        ? [
            {
              key: 'tenant',
              title: say('tenant'),
              render: (_: unknown, { tenantCode }: Task) => <Cut text={tenantCode} />,
            },
          ]
        : []),
      {
        key: 'organisation',
        title: say('organisation'),
        render: (_, { assigneeOrg }) => <Cut text={assigneeOrg} />,
      },
      {
        key: 'takenBy',
        title: say('takenBy'),
        render: (_, { takenOverBy, takenOverAt, instance }) => (
          <div className="two-lines">
            <Cut text={takenOverBy} />
            {takenOverAt !== null && (
              <span className="quiet">
                <Time at={takenOverAt} site={instance} ago />
              </span>
            )}
          </div>
        ),
      },
      {
        key: 'escalated',
        title: say('escalated'),
        render: (_, { escalatedAt, instance }) =>
          escalatedAt !== null && (
            <Tag color="error">
              {say('escalated')} <Time at={escalatedAt} site={instance} ago />
            </Tag>
          ),
      },
      {
        key: 'result',
        title: say('result'),
        render: (_, { resultCode }) => resultCode !== null && say(resultCode),
      },
    ],
    [say, tenants],
  );
}

function Name({ task: { id, title, type } }: { task: Task }) {
  const say = useWords(words);
  return (
    <div className="two-lines">
      <Link to="/tasks/$id" params={{ id: String(id) }} className="cut" title={title}>
        <bdi>{title}</bdi>
      </Link>
      <span className="quiet">{say(type)}</span>
    </div>
  );
}

function Cut({ text }: { text: string | null }) {
  return (
    text !== null && (
      <div className="two-lines">
        <bdi className="cut" title={text}>
          {text}
        </bdi>
      </div>
    )
  );
}
