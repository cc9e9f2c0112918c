import { type TableColumnsType, Tag, Typography } from 'antd';
import { DataTable, PAGED } from '../../../list/data-table.tsx';
import { Nothing } from '../../../page/page.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import type { SiteDetail } from '../queries.ts';
import { words } from './words.ts';

type Camera = NonNullable<SiteDetail['cameras']>[number];
/** As many as a site reports. */
const MOST = 100;

/** The cameras of the site, silent ones first, with when they last brought an event. */
export function Cameras({ detail: { site, cameras } }: { detail: SiteDetail }) {
  const say = useWords(words);
  return (
    <>
      <Typography.Text type="secondary">{say('camerasMean')}</Typography.Text>
      <DataTable<Camera>
        rowKey={({ keyId }) => keyId}
        columns={useColumns(site.instance)}
        dataSource={cameras ?? []}
        pagination={PAGED}
        locale={{ emptyText: <Nothing none={say(cameras ? 'noCameras' : 'notTold')} /> }}
      />
      {cameras?.length === MOST && <Typography.Text type="secondary">{say('mostCameras')}</Typography.Text>}
    </>
  );
}

function useColumns(instance: string): TableColumnsType<Camera> {
  const say = useWords(words);
  const { language } = useLanguage();
  return [
    {
      key: 'state',
      title: say('state'),
      render: (_, { silent }) => (
        <Tag color={silent ? 'warning' : 'success'}>{say(silent ? 'silent' : 'heard')}</Tag>
      ),
    },
    {
      key: 'camera',
      title: say('camera'),
      render: (_, { name }) => <strong className="name">{name}</strong>,
    },
    { key: 'tenant', title: say('tenant'), render: (_, { tenantCode }) => tenantCode },
    {
      key: 'last',
      title: say('lastEvent'),
      render: (_, { lastEventAt }) =>
        lastEventAt ? (
          <Time at={lastEventAt} site={instance} />
        ) : (
          <span className="quiet">{say('never')}</span>
        ),
    },
    {
      key: 'events',
      title: say('eventCount'),
      align: 'end',
      render: (_, { events }) => <span className="number">{number(events, language)}</span>,
    },
  ];
}
