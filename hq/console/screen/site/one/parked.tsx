import { Flex, type TableColumnsType, Typography } from 'antd';
import { DataTable } from '../../../list/data-table.tsx';
import { Command } from '../../../page/command.tsx';
import { AsOf } from '../../../page/fault.tsx';
import { Nothing } from '../../../page/nothing.tsx';
import { useSession } from '../../../session/session.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { TypeNames } from '../../event/type-name.tsx';
import { quoted } from '../key/quoted.ts';
import { type SiteDetail, useConflicts } from '../queries.ts';
import { flowWord } from './names.ts';
import { words } from './words.ts';

type Item = NonNullable<SiteDetail['parked']>[number];
type Conflict = NonNullable<ReturnType<typeof useConflicts>['data']>['items'][number];

/** What headquarters refused, with the reason and what is typed at the site, and what is in conflict. */
export function Parked({ detail: { site, parked } }: { detail: SiteDetail }) {
  const say = useWords(words);
  const conflicts = useConflicts(site.instance);
  return (
    <Flex vertical gap="middle">
      <section>
        <Typography.Title level={2} className="part">
          {say('parked')}
        </Typography.Title>
        <Typography.Paragraph type="secondary">{say('parkedMeans')}</Typography.Paragraph>
        {parked && parked.length > 0 && (
          <Typography.Paragraph>
            {say('replay')}: <Command text="sudo fieldline-site parked replay" />
          </Typography.Paragraph>
        )}
        <DataTable<Item>
          rowKey={({ channel, originId }) => `${channel}.${originId}`}
          columns={useItemColumns(site.instance)}
          dataSource={parked ?? []}
          locale={{ emptyText: <Nothing none={say(parked ? 'parkedNone' : 'notTold')} /> }}
        />
      </section>
      <section>
        <Typography.Title level={2} className="part">
          {say('conflicts')}
        </Typography.Title>
        <Typography.Paragraph type="secondary">{say('conflictsMeans')}</Typography.Paragraph>
        <AsOf query={conflicts} />
        <DataTable<Conflict>
          rowKey={({ tenantCode, idempotencyKey }) => `${tenantCode}.${idempotencyKey}`}
          columns={useConflictColumns(site.instance)}
          dataSource={conflicts.data?.items ?? []}
          query={conflicts}
          pagination={{ hideOnSinglePage: true, showSizeChanger: false }}
          locale={{ emptyText: <Nothing none={say('conflictsNone')} /> }}
        />
      </section>
    </Flex>
  );
}

function useItemColumns(instance: string): TableColumnsType<Item> {
  const say = useWords(words);
  const { identity } = useSession();
  const { language } = useLanguage();
  return [
    {
      key: 'channel',
      title: say('channel'),
      render: (_, { channel }) => {
        const word = flowWord(channel);
        return word ? say(word) : channel;
      },
    },
    { key: 'number', title: say('number'), align: 'end', dataIndex: 'originId' },
    {
      key: 'reason',
      title: say('reason'),
      render: (_, { message, messageZh, error }) => (
        <div className="said">
          {language === 'zh' ? messageZh : message}
          <div className="quiet">{error}</div>
        </div>
      ),
    },
    { key: 'times', title: say('times'), align: 'end', dataIndex: 'count' },
    { key: 'last', title: say('last'), render: (_, { lastAt }) => <Time at={lastAt} site={instance} /> },
    {
      key: 'command',
      title: say('atSite'),
      render: (_, { channel, originId }) => (
        <Flex vertical gap={4}>
          <span>
            {say('again')}{' '}
            <Command text={`sudo fieldline-site parked replay --channel ${channel} ${originId}`} />
          </span>
          <span>
            {say('discard')}{' '}
            <Command
              text={`sudo fieldline-site parked discard ${channel} ${originId} --by ${quoted(identity.name)}`}
            />
          </span>
        </Flex>
      ),
    },
  ];
}

function useConflictColumns(instance: string): TableColumnsType<Conflict> {
  const say = useWords(words);
  return [
    { key: 'last', title: say('last'), render: (_, { lastAt }) => <Time at={lastAt} site={instance} /> },
    {
      key: 'type',
      title: say('type'),
      render: (_, { type, tenantCode }) => <TypeNames tenant={tenantCode} types={[type]} />,
    },
    {
      key: 'key',
      title: say('key'),
      render: (_, { idempotencyKey }) => <code className="name">{idempotencyKey}</code>,
    },
    { key: 'number', title: say('number'), align: 'end', dataIndex: 'originId' },
    {
      key: 'heldBy',
      title: say('heldBy'),
      render: (_, { heldBy, heldId }) => (
        <span className="name">{say('heldEvent', { instance: heldBy, id: heldId })}</span>
      ),
    },
    { key: 'times', title: say('times'), align: 'end', dataIndex: 'count' },
  ];
}
