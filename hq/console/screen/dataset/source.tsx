import { Alert, Button, Card, Checkbox, Descriptions, Flex, Form, Tag, Typography } from 'antd';
import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { DataTable } from '../../list/data-table.tsx';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { useColumns } from './columns.tsx';
import { changesOf } from './contract.ts';
import { type Dataset, type Source, SOURCES } from './queries.ts';
import { words } from './words.ts';

/** One business system with its datasets, and what can be done with it. */
export function SourceCard({ source }: { source: Source }) {
  const say = useWords(words);
  const { can } = useSession();
  const [accepting, accept] = useState<Dataset | null>(null);
  const [recomputing, setRecomputing] = useState(false);
  const { baseUrl, schedule, nextRunAt, datasets, enabled, tenantCode } = source;
  const items = [
    { key: 'address', label: say('address'), children: baseUrl },
    { key: 'schedule', label: say('schedule'), children: <Schedule cron={schedule} /> },
    { key: 'next', label: say('next'), children: nextRunAt && <Time at={nextRunAt} /> },
  ];
  return (
    <Card
      size="small"
      title={
        <Flex gap="small" wrap align="center">
          <bdi className="breaks">{source.name}</bdi>
          <Typography.Text type="secondary">{tenantCode}</Typography.Text>
          <Tag color={enabled ? 'success' : 'default'}>{say(enabled ? 'enabled' : 'paused')}</Tag>
          {source.running && <Tag color="processing">{say('running')}</Tag>}
        </Flex>
      }
    >
      <Flex vertical gap="middle">
        <SourceFault source={source} />
        {can('integration.manage') && <Actions source={source} recompute={() => setRecomputing(true)} />}
        <Descriptions column={{ xs: 1, lg: 3 }} size="small" className="breaks" items={items} />
        <DataTable<Dataset> rowKey="dataset" columns={useColumns(accept)} dataSource={datasets} />
      </Flex>
      <Accept source={source} dataset={accepting} close={() => accept(null)} />
      <Recompute source={source} open={recomputing} close={() => setRecomputing(false)} />
    </Card>
  );
}

/** A changed schema is told in words, beside what accepts it; other faults as they came. */
function SourceFault({ source: { lastError, lastErrorZh, datasets } }: { source: Source }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const told = language === 'zh' ? (lastErrorZh ?? lastError) : lastError;
  if (datasets.some(({ offered }) => offered !== null))
    return <Alert type="warning" showIcon title={say('contractFault')} />;
  return told !== null && <Alert type="error" showIcon className="breaks" title={told} />;
}

/** One time a day in words, others as they are set. */
function Schedule({ cron }: { cron: string }) {
  const say = useWords(words);
  const [, minute, hour] = /^(\d{1,2}) (\d{1,2}) \* \* \*$/.exec(cron) ?? [];
  if (minute === undefined || hour === undefined) return <code>{cron}</code>;
  return say('daily', { at: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}` });
}

function Actions({ source, recompute }: { source: Source; recompute: () => void }) {
  const say = useWords(words);
  const { id, enabled } = source;
  const params = { path: { id } };
  const sync = useAct({
    act: () => answerOf(api.POST('/api/dataset/sources/{id}/sync', { params })),
    changes: [SOURCES],
    done: () => say('syncing'),
  });
  const turn = useAct({
    act: (on: boolean) => answerOf(api.PATCH('/api/dataset/sources/{id}', { params, body: { enabled: on } })),
    changes: [SOURCES],
  });
  return (
    <Flex gap="small" wrap>
      {enabled && (
        <Button onClick={() => sync.run(undefined)} loading={sync.pending}>
          {say('sync')}
        </Button>
      )}
      {enabled && <Button onClick={recompute}>{say('recomputeAct')}</Button>}
      <Button onClick={() => turn.run(!enabled)} loading={turn.pending}>
        {say(enabled ? 'pause' : 'resume')}
      </Button>
    </Flex>
  );
}

function Accept({ source, dataset, close }: { source: Source; dataset: Dataset | null; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: () =>
      answerOf(
        api.POST('/api/dataset/sources/{id}/accept', {
          params: { path: { id: source.id } },
          body: { dataset: dataset?.dataset ?? '', schema_version: dataset?.offered?.schemaVersion ?? '' },
        }),
      ),
    changes: [SOURCES],
    quiet: true,
    done: () => say('accepted'),
    then: close,
  });
  const changes = dataset ? changesOf(dataset) : [];
  return (
    <FormDialog
      open={dataset !== null}
      title={say('acceptTitle', { dataset: dataset?.dataset ?? '' })}
      ok={say('accept')}
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('acceptWhy')}</Typography.Paragraph>
      {changes.length === 0 && <Typography.Paragraph>{say('sameFields')}</Typography.Paragraph>}
      <ul>
        {changes.map(({ kind, name, before, after }) => (
          <li key={name} className="breaks">
            {say(kind)} <code>{name}</code> {[before, after].filter((one) => one !== null).join(' → ')}
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}

function Recompute({ source, open, close }: { source: Source; open: boolean; close: () => void }) {
  const say = useWords(words);
  const act = useAct({
    act: ({ datasets }: { datasets?: string[] }) =>
      answerOf(
        api.POST('/api/dataset/sources/{id}/recompute', {
          params: { path: { id: source.id } },
          body: datasets && datasets.length > 0 ? { datasets } : {},
        }),
      ),
    changes: [SOURCES],
    quiet: true,
    done: () => say('recomputing'),
    then: close,
  });
  return (
    <FormDialog
      open={open}
      title={`${say('recomputeAct')}: ${source.name}`}
      ok={say('recomputeAct')}
      danger
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('recomputeWhy')}</Typography.Paragraph>
      <Form.Item name="datasets" label={say('which')}>
        <Checkbox.Group options={source.datasets.map(({ dataset }) => dataset)} />
      </Form.Item>
    </FormDialog>
  );
}
