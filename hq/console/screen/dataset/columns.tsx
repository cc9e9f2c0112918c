import { Button, Flex, type TableColumnsType, Tag, Typography } from 'antd';
import { useMemo } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time, useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import type { Dataset } from './queries.ts';
import { words } from './words.ts';

/** @param accept asks about the contract that a source offers */
export function useColumns(accept: (dataset: Dataset) => void): TableColumnsType<Dataset> {
  const say = useWords(words);
  const { language } = useLanguage();
  const text = useTimeText();
  return useMemo(
    () => [
      {
        key: 'dataset',
        title: say('dataset'),
        render: (_, { dataset, processor }) => (
          <Flex vertical>
            <strong>{dataset}</strong>
            <span className="quiet">{processor === 'none' ? say('onlyKept') : say(processor)}</span>
          </Flex>
        ),
      },
      { key: 'state', title: say('state'), render: (_, { mode }) => <Tag>{say(mode)}</Tag> },
      {
        key: 'schema',
        title: say('schema'),
        render: (_, dataset) => <Schema dataset={dataset} accept={accept} />,
      },
      {
        key: 'lag',
        title: say('lag'),
        render: (_, { lagSeconds }) => lagSeconds !== null && text.lasting(lagSeconds * 1000),
      },
      { key: 'run', title: say('lastRun'), render: (_, { lastRun }) => <LastRun run={lastRun} /> },
      {
        key: 'rows',
        title: say('rows'),
        align: 'end',
        render: (_, { rowsTotal }) => <span className="number">{number(rowsTotal, language)}</span>,
      },
      {
        key: 'cursor',
        title: say('cursor'),
        render: (_, { cursor }) =>
          cursor !== null && (
            <Typography.Text className="delivery-error" ellipsis={{ tooltip: cursor }}>
              {cursor}
            </Typography.Text>
          ),
      },
      {
        key: 'fault',
        title: say('fault'),
        render: (_, { lastError, lastErrorZh, offered }) =>
          offered ? (
            <span className="said-short">{say('contractFault')}</span>
          ) : (
            lastError !== null && <Told text={language === 'zh' ? (lastErrorZh ?? lastError) : lastError} />
          ),
      },
    ],
    [say, language, text, accept],
  );
}

function Schema({ dataset, accept }: { dataset: Dataset; accept: (dataset: Dataset) => void }) {
  const say = useWords(words);
  const { can } = useSession();
  const { contract, offered } = dataset;
  return (
    <Flex vertical gap={4} align="start">
      {contract?.schemaVersion ?? <span className="quiet">{say('notRead')}</span>}
      {offered && <Tag color="warning">{say('offered', { version: offered.schemaVersion })}</Tag>}
      {offered && can('integration.manage') && (
        <Button size="small" onClick={() => accept(dataset)}>
          {say('accept')}
        </Button>
      )}
    </Flex>
  );
}

function LastRun({ run }: { run: Dataset['lastRun'] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (run === null) return null;
  return (
    <Flex vertical>
      {run.endedAt === null ? <Tag color="processing">{say('running')}</Tag> : <Time at={run.endedAt} />}
      <span className="quiet">{say('runRows', { rows: number(run.rows, language) })}</span>
    </Flex>
  );
}

const Told = ({ text }: { text: string }) => (
  <Typography.Text type="danger" className="delivery-error" ellipsis={{ tooltip: text }}>
    {text}
  </Typography.Text>
);
