import { Link } from '@tanstack/react-router';
import { Card, Collapse, Descriptions, type DescriptionsProps, Flex } from 'antd';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { useSiteName } from '../site/name.tsx';
import { clauseOf } from './clause.tsx';
import { detailWords } from './detail-words.ts';
import { Due, StateTag } from './labels.tsx';
import type { TaskDetail } from './queries.ts';
import { words } from './words.ts';

/** What the task says of itself. */
export function Facts({ task }: { task: TaskDetail }) {
  const say = useWords(detailWords);
  const items = useFacts(task);
  const { history: _h, steps: _s, result_code: _r, edge_notes: _n, ...rest } = task.body;
  const { clause: _c, ...bare } = rest;
  const more = clauseOf(task) ? bare : rest;
  return (
    <Card size="small" title={say('facts')}>
      <Flex vertical gap="middle">
        <Descriptions size="small" column={1} items={items} />
        {Object.keys(more).length > 0 && (
          <Collapse
            size="small"
            items={[
              {
                key: 'more',
                label: say('more'),
                children: <pre className="raw">{JSON.stringify(more, null, 2)}</pre>,
              },
            ]}
          />
        )}
      </Flex>
    </Card>
  );
}

function useFacts(task: TaskDetail): NonNullable<DescriptionsProps['items']> {
  const say = useWords(detailWords);
  const sayWord = useWords(words);
  const siteName = useSiteName();
  const { instance: site, eventId, resultCode, takenOverBy, takenOverAt, escalatedAt } = task;
  return [
    { key: 'state', label: sayWord('state'), children: <StateTag task={task} /> },
    { key: 'due', label: sayWord('due'), children: <Due task={task} /> },
    { key: 'type', label: sayWord('type'), children: sayWord(task.type) },
    { key: 'severity', label: sayWord('severity'), children: <SeverityTag severity={task.severity} /> },
    {
      key: 'organisation',
      label: sayWord('organisation'),
      children: <bdi className="wrap">{task.assigneeOrg ?? '—'}</bdi>,
    },
    {
      key: 'taken',
      label: sayWord('takenBy'),
      children: <Who by={takenOverBy} at={takenOverAt} site={site} />,
    },
    ...(escalatedAt === null
      ? []
      : [{ key: 'escalated', label: sayWord('escalated'), children: <Time at={escalatedAt} site={site} /> }]),
    {
      key: 'result',
      label: sayWord('result'),
      children: resultCode === null ? '—' : sayWord(resultCode),
    },
    {
      key: 'event',
      label: say('event'),
      children:
        eventId === null ? (
          say('onNoEvent')
        ) : (
          <Link to="/events/$id" params={{ id: String(eventId) }}>
            {sayWord('eventFilter', { id: eventId })}
          </Link>
        ),
    },
    {
      key: 'made',
      label: say('createdBy'),
      children: <Who by={task.createdBy} at={task.createdAt} site={site} />,
    },
    {
      key: 'kept',
      label: say('keptBy'),
      children: (
        <span className="wrap">
          {site === null ? say('keptHere') : say('keptAtSite', { site: siteName(site) })}
        </span>
      ),
    },
  ];
}

function Who({ by, at, site }: { by: string | null; at: string | null; site: string | null }) {
  return (
    <Flex gap="small" wrap>
      <bdi className="wrap">{by ?? '—'}</bdi>
      {at !== null && (
        <span className="quiet">
          <Time at={at} site={site} />
        </span>
      )}
    </Flex>
  );
}
