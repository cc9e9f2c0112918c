import { Link } from '@tanstack/react-router';
import { Flex, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { useSiteName } from '../site/name.tsx';
import { Due, StateTag } from './labels.tsx';
import type { Task } from './queries.ts';
import { words } from './words.ts';

/** For phones: all of a task in one cell. */
export function useNarrowColumns(): TableColumnsType<Task> {
  const say = useWords(words);
  return useMemo(
    () => [{ key: 'name', title: say('name'), render: (_, task) => <Brief task={task} /> }],
    [say],
  );
}

function Brief({ task }: { task: Task }) {
  const say = useWords(words);
  const siteName = useSiteName();
  return (
    <Flex vertical gap={4} className="wrap">
      <Name task={task} />
      <Flex gap={4} wrap>
        <SeverityTag severity={task.severity} />
        <StateTag task={task} />
      </Flex>
      <When task={task} />
      <bdi className="quiet">
        {[
          task.instance === null ? say('atHeadquarters') : siteName(task.instance),
          task.assigneeOrg,
          task.takenOverBy,
        ]
          .filter(Boolean)
          .join(' · ')}
      </bdi>
    </Flex>
  );
}

/** @param tenants names the tenant, for who sees several */
export function useColumns(tenants: boolean): TableColumnsType<Task> {
  const say = useWords(words);
  const siteName = useSiteName();
  return useMemo(
    () => [
      { key: 'due', title: say('due'), render: (_, task) => <When task={task} /> },
      { key: 'state', title: say('state'), render: (_, task) => <State task={task} /> },
      {
        key: 'severity',
        title: say('severity'),
        render: (_, { severity }) => <SeverityTag severity={severity} />,
      },
      { key: 'name', title: say('name'), render: (_, task) => <Name task={task} /> },
      {
        key: 'site',
        title: say('site'),
        render: (_, { instance, tenantCode }) => (
          <Cut
            text={instance === null ? say('atHeadquarters') : siteName(instance)}
            second={tenants ? tenantCode : null}
          />
        ),
      },
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
    ],
    [say, siteName, tenants],
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

function State({ task }: { task: Task }) {
  const say = useWords(words);
  return (
    <div className="two-lines">
      <span>
        <StateTag task={task} />
      </span>
      {task.resultCode !== null && <span className="quiet">{say(task.resultCode)}</span>}
    </div>
  );
}

/** The deadline, and since when others were told that it has passed. */
function When({ task }: { task: Task }) {
  const say = useWords(words);
  const { escalatedAt, instance } = task;
  return (
    <div className="two-lines">
      <Due task={task} />
      {escalatedAt !== null && (
        <span className="fault-text">
          {say('escalated')} <Time at={escalatedAt} site={instance} ago />
        </span>
      )}
    </div>
  );
}

function Cut({ text, second }: { text: string | null; second?: string | null }) {
  return (
    text !== null && (
      <div className="two-lines">
        <bdi className="cut" title={text}>
          {text}
        </bdi>
        {second && (
          <bdi className="quiet cut" title={second}>
            {second}
          </bdi>
        )}
      </div>
    )
  );
}
