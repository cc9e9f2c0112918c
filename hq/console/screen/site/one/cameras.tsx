import { type TableColumnsType, Tag, Typography } from 'antd';
import { DataTable, PAGED } from '../../../list/data-table.tsx';
import { Nothing } from '../../../page/nothing.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { useCameraName } from '../../camera/name.tsx';
import type { SiteDetail } from '../queries.ts';
import { cameraWords } from './camera-words.ts';
import { words } from './words.ts';

type Camera = NonNullable<SiteDetail['cameras']>[number];
/** As many as a site reports. */
const MOST = 100;
/** Of those behind one key, that a row names. */
const MOST_REFS = 8;

/** The cameras of the site, those in trouble first: how each is connected, and what it last brought. */
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
      key: 'camera',
      title: say('camera'),
      render: (_, { name, kind }) => (
        <div className="two-lines">
          <strong className="name">{name}</strong>
          <span className="quiet">{kind ?? say('signs')}</span>
        </div>
      ),
    },
    {
      key: 'state',
      title: say('state'),
      render: (_, camera) => <State camera={camera} instance={instance} />,
    },
    {
      key: 'refs',
      title: say('refs'),
      render: (_, camera) => <Refs camera={camera} instance={instance} />,
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

/** What is wrong with it goes before when it was heard: a changed password is not seen in the last event. */
function State({ camera: { connection, refused, silent }, instance }: { camera: Camera; instance: string }) {
  const say = useWords(words);
  const sayCamera = useWords(cameraWords);
  const { language } = useLanguage();
  const word = (name: string): string =>
    sayCamera(name in cameraWords ? (name as keyof typeof cameraWords) : 'other');
  if (connection !== null && connection.code !== null)
    return (
      <div className="said said-short span">
        <Tag color="error">{word(connection.condition)}</Tag>
        <div>{(language === 'zh' ? connection.reasonZh : null) ?? connection.reason}</div>
        <span className="quiet">
          {say('since')} <Time at={connection.since} site={instance} />
        </span>
      </div>
    );
  if (refused !== null)
    return (
      <div className="said said-short span">
        <Tag color="error">{word(refused.reason)}</Tag>
        <div className="quiet">
          <Time at={refused.at} site={instance} />
        </div>
      </div>
    );
  if (silent) return <Tag color="warning">{sayCamera('silent')}</Tag>;
  if (connection === null) return <Tag color="success">{sayCamera('heard')}</Tag>;
  const color = connection.condition === 'connected' ? 'success' : 'warning';
  return <Tag color={color}>{word(connection.condition)}</Tag>;
}

/** By the name that people know it by, with what its events call it beside. */
const CameraCalled = ({ name, cameraRef }: { name: string | null; cameraRef: string }) => (
  <>
    <bdi className="name">{name ?? cameraRef}</bdi>
    {name !== null && name !== cameraRef && (
      <>
        {' '}
        <bdi className="quiet">{cameraRef}</bdi>
      </>
    )}
  </>
);

function Refs({ camera: { refs, tenantCode }, instance }: { camera: Camera; instance: string }) {
  const cameraName = useCameraName();
  const say = useWords(words);
  const { language } = useLanguage();
  if (refs.length === 0) return <span className="quiet">{say('refsNone')}</span>;
  return (
    <>
      {refs.slice(0, MOST_REFS).map(({ ref, lastEventAt, events }) => (
        <div key={ref} className="said span">
          <CameraCalled
            name={cameraName({ tenantCode: tenantCode ?? '', instance, cameraRef: ref })}
            cameraRef={ref}
          />{' '}
          <span className="quiet">
            <Time at={lastEventAt} site={instance} /> · {say('refLine', { count: number(events, language) })}
          </span>
        </div>
      ))}
      {refs.length > MOST_REFS && (
        <span className="quiet">{say('refsMore', { count: refs.length - MOST_REFS })}</span>
      )}
    </>
  );
}
