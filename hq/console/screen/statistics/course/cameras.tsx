import { Link } from '@tanstack/react-router';
import { Flex } from 'antd';
import { ExportButton } from '../../../csv/download.tsx';
import { useSession } from '../../../session/session.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { useCameraName } from '../../camera/name.tsx';
import { useSiteName } from '../../site/name.tsx';
import type { CameraCounts, Window } from '../queries.ts';
import { standings, totalOf } from './fold.ts';
import { ShareTable } from './share-table.tsx';
import { courseWords } from './words.ts';

type Camera = CameraCounts['items'][number];
type Row = Camera & { before: Camera | undefined };

const keyOf = ({ cameraRef, siteRef, instance }: Camera): string =>
  JSON.stringify([instance, siteRef, cameraRef]);

interface CamerasProps {
  tenant: string;
  span: Window;
  now: CameraCounts;
  /** Of the period before; undefined while it is not there. */
  before: CameraCounts | undefined;
  fileName: string;
}

/** Which cameras ring falsely. */
export function Cameras({ tenant, span, now, before, fileName }: CamerasProps) {
  const say = useWords(courseWords);
  const { language } = useLanguage();
  const siteName = useSiteName();
  const cameraName = useCameraName();
  const earlier = new Map(before?.items.map((camera) => [keyOf(camera), camera]));
  const rows = now.items.map((camera): Row => ({ ...camera, before: earlier.get(keyOf(camera)) }));
  const siteOf = ({ instance }: Camera): string =>
    instance === null ? say('headquarters') : siteName(instance);
  const was = (key: 'before' | 'beforeFalse', of: (camera: Camera) => number) => ({
    key,
    title: say(key),
    align: 'end' as const,
    render: (_: unknown, row: Row) => number(row.before ? of(row.before) : 0, language),
  });
  const read = () =>
    Promise.resolve({
      head: [
        ...[say('camera'), say('place'), say('site'), say('events')],
        ...standings.map((name) => say(name)),
        ...[say('before'), say('beforeFalse')],
      ],
      rows: rows.map((row) => [
        ...[cameraName({ ...row, tenantCode: tenant }), row.siteRef, siteOf(row), totalOf(row)],
        ...standings.map((name) => row[name]),
        ...[row.before ? totalOf(row.before) : 0, row.before?.falseAlarm ?? 0],
      ]),
      cut: now.more > 0,
    });
  return (
    <section>
      <Flex gap="small" wrap align="center" justify="space-between">
        <strong>{say('byCamera')}</strong>
        <ExportButton label={say('export')} name={`${say('camerasFile')}-${fileName}`} read={read} />
      </Flex>
      <ShareTable
        rows={rows}
        rowKey={keyOf}
        first={[
          {
            key: 'camera',
            title: say('camera'),
            render: (_, row) => <CameraLink row={row} tenant={tenant} span={span} />,
          },
          { key: 'place', title: say('place'), render: (_, { siteRef }) => <bdi>{siteRef ?? '–'}</bdi> },
          { key: 'site', title: say('site'), render: (_, row) => <bdi>{siteOf(row)}</bdi> },
        ]}
        last={[was('before', totalOf), was('beforeFalse', ({ falseAlarm }) => falseAlarm)]}
      />
      {now.more > 0 && (
        <span className="quiet">{say('moreCameras', { count: number(now.more, language) })}</span>
      )}
    </section>
  );
}

/** Leads to the events that were counted. */
function CameraLink({ row, tenant, span }: { row: Camera; tenant: string; span: Window }) {
  const say = useWords(courseWords);
  const { can, identity } = useSession();
  const { cameraRef, instance } = row;
  const camera = useCameraName()({ ...row, tenantCode: tenant });
  if (cameraRef === null) return <span className="quiet">{say('noCamera')}</span>;
  if (!can('events.view')) return <bdi title={cameraRef}>{camera}</bdi>;
  const search = {
    camera: cameraRef,
    ...(instance === null ? {} : { site: instance }),
    ...(identity.tenantCode === null ? { tenant } : {}),
    since: new Date(span.since).toISOString(),
    until: new Date(span.until).toISOString(),
  };
  return (
    <Link to="/events" search={search}>
      <bdi className="breaks" title={cameraRef}>
        {camera}
      </bdi>
    </Link>
  );
}
