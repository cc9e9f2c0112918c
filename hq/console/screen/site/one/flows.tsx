import { type TableColumnsType, Tag, Typography } from 'antd';
import { DataTable } from '../../../list/data-table.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { bytes, number } from '../../../word/number.ts';
import type { Flow, Site } from '../queries.ts';
import { flowWord } from './names.ts';
import { words } from './words.ts';

/** All that travels between the site and here, with what waits of it and how its tries go. */
export function Flows({ site }: { site: Site }) {
  const columns = useColumns(site.instance);
  const say = useWords(words);
  const told = site.flows.some(({ at }) => at === 'site');
  return (
    <>
      <DataTable<Flow> rowKey={({ at, name }) => `${at}.${name}`} columns={columns} dataSource={site.flows} />
      {!told && <Typography.Text type="secondary">{say('notTold')}</Typography.Text>}
    </>
  );
}

function useColumns(instance: string): TableColumnsType<Flow> {
  const say = useWords(words);
  const { language } = useLanguage();
  const count = (value: number) => <span className="number">{number(value, language)}</span>;
  return [
    {
      key: 'what',
      title: say('what'),
      render: (_, { name }) => {
        const word = flowWord(name);
        return <strong>{word ? say(word) : name}</strong>;
      },
    },
    { key: 'where', title: say('where'), render: (_, { at }) => say(at === 'site' ? 'there' : 'here') },
    { key: 'waiting', title: say('waiting'), align: 'end', render: (_, { waiting }) => count(waiting) },
    {
      key: 'size',
      title: say('size'),
      align: 'end',
      render: (_, flow) =>
        flow.bytes !== null && <span className="number">{bytes(flow.bytes, language)}</span>,
    },
    {
      key: 'oldest',
      title: say('oldest'),
      render: (_, { oldestAt }) => oldestAt && <Time at={oldestAt} site={instance} ago />,
    },
    {
      key: 'failed',
      title: say('failed'),
      align: 'end',
      render: (_, { failed }) =>
        failed === 0 ? <span className="quiet">0</span> : <Tag color="error">{number(failed, language)}</Tag>,
    },
    { key: 'position', title: say('position'), render: (_, flow) => <Position flow={flow} /> },
    { key: 'error', title: say('error'), render: (_, flow) => <LastError flow={flow} /> },
    {
      key: 'next',
      title: say('next'),
      render: (_, { nextAttemptAt }) => nextAttemptAt && <Time at={nextAttemptAt} site={instance} />,
    },
  ];
}

function Position({ flow: { cursor, head } }: { flow: Flow }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (cursor === null || head === null) return null;
  return (
    <span className="number">
      {number(cursor, language)} / {number(head, language)}
      {head > cursor && (
        <>
          {' '}
          <Tag>{say('lag', { count: number(head - cursor, language) })}</Tag>
        </>
      )}
    </span>
  );
}

function LastError({ flow }: { flow: Flow }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const error = language === 'zh' ? (flow.lastErrorZh ?? flow.lastError) : flow.lastError;
  if (error === null) return null;
  return (
    <div className="said">
      {error}
      {(flow.failures ?? 0) > 0 && <div className="quiet">{say('tries', { count: flow.failures ?? 0 })}</div>}
    </div>
  );
}
