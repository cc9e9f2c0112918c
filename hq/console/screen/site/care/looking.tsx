import { Alert, Button, Flex, type TableColumnsType, Tag, Typography } from 'antd';
import { useState } from 'react';
import { DataTable } from '../../../list/data-table.tsx';
import { AsOf } from '../../../page/fault.tsx';
import { Nothing } from '../../../page/nothing.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import type { SiteDetail } from '../queries.ts';
import { AnswerDialog } from './answer.tsx';
import { Ask } from './ask.tsx';
import { fileAddress, type Line, useRequests } from './queries.ts';
import { Withdraw } from './withdraw.tsx';
import { words } from './words.ts';

const COLOURS: Partial<Record<Line['state'], string>> = {
  ...{ done: 'success', failed: 'error', refused: 'error' },
  ...{ expired: 'warning', late: 'warning', sent: 'processing' },
};

const OPEN: readonly Line['state'][] = ['waiting', 'sent', 'late'];

/** Looking into a site: what it is asked for, how that stands, and what it answered. */
export function Looking({ detail }: { detail: SiteDetail }) {
  const say = useWords(words);
  const { instance } = detail.site;
  const query = useRequests(instance);
  const [shown, setShown] = useState<Line | null>(null);
  const care = query.data?.care;
  return (
    <Flex vertical gap="middle">
      <Typography.Text type="secondary">{say('means')}</Typography.Text>
      <AsOf query={query} />
      {care === 'off' && <Alert type="warning" showIcon title={say('off')} />}
      {care === null && <Alert type="info" showIcon title={say('unknown')} />}
      <Ask detail={detail} off={care === 'off'} />
      <DataTable<Line>
        rowKey={({ id }) => id}
        columns={useColumns(instance, setShown)}
        dataSource={query.data?.items ?? []}
        query={query}
        locale={{ emptyText: <Nothing none={say('none')} /> }}
      />
      {shown && <AnswerDialog line={shown} close={() => setShown(null)} />}
    </Flex>
  );
}

function useColumns(instance: string, show: (line: Line) => void): TableColumnsType<Line> {
  const say = useWords(words);
  const { language } = useLanguage();
  return [
    {
      key: 'what',
      title: say('what'),
      render: (_, { what, device }) => (
        <div className="two-lines">
          <strong>{say(what)}</strong>
          {device !== null && <span className="quiet name">{device}</span>}
        </div>
      ),
    },
    {
      key: 'state',
      title: say('state'),
      render: (_, { state, sentAt, reason, reasonZh }) => (
        <div className="said">
          <Tag color={COLOURS[state] ?? 'default'}>{say(state)}</Tag>
          {reason !== null && (
            <div className="quiet">{language === 'zh' ? (reasonZh ?? reason) : reason}</div>
          )}
          {state === 'withdrawn' && sentAt !== null && <div className="quiet">{say('mayBeDone')}</div>}
        </div>
      ),
    },
    { key: 'at', title: say('at'), render: (_, { askedAt }) => <Time at={askedAt} site={instance} ago /> },
    { key: 'by', title: say('by'), render: (_, { askedBy }) => <span className="name">{askedBy}</span> },
    {
      key: 'answer',
      title: say('answer'),
      render: (_, line) => <AnswerCell line={line} show={() => show(line)} />,
    },
  ];
}

function AnswerCell({ line, show }: { line: Line; show: () => void }) {
  const say = useWords(words);
  if (OPEN.includes(line.state)) return <Withdraw line={line} />;
  if (line.state !== 'done') return null;
  const { file } = line;
  if (file && !file.whole) {
    const percent = Math.floor((file.held / file.size) * 100);
    return <span className="quiet">{say('coming', { percent })}</span>;
  }
  if (file?.contentType === 'application/gzip')
    return (
      <Button size="small" href={fileAddress(line)} download={file.name}>
        {say('download')}
      </Button>
    );
  return (
    <Button size="small" onClick={show}>
      {say('view')}
    </Button>
  );
}
