import { ExperimentOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Flex, type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useCameraName } from '../camera/name.tsx';
import { useSiteName } from '../site/name.tsx';
import { EventTime } from './event-time.tsx';
import { SeverityTag, VerdictTag } from './labels.tsx';
import { SmallPicture } from './picture.tsx';
import type { Event } from './queries.ts';
import { useTypeName } from './type-name.tsx';
import { words } from './words.ts';

/** For phones: all of an event in one cell beside its picture. */
export function useNarrowColumns(): TableColumnsType<Event> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'picture',
        title: say('picture'),
        width: 112,
        render: (_, event) => <SmallPicture event={event} />,
      },
      { key: 'event', title: say('title'), render: (_, event) => <Brief event={event} /> },
    ],
    [say],
  );
}

function Brief({ event }: { event: Event }) {
  const siteName = useSiteName();
  const cameraName = useCameraName();
  return (
    <Flex vertical gap={4} className="wrap">
      <What event={event} />
      <Flex gap={4} wrap>
        <SeverityTag severity={event.severity} />
        <VerdictTag event={event} />
      </Flex>
      <EventTime event={event} />
      <bdi className="quiet">{[cameraName(event), siteName(event.instance)].filter(Boolean).join(' · ')}</bdi>
    </Flex>
  );
}

/** @param tenants with a column for the tenant, for who sees several */
export function useColumns(tenants: boolean): TableColumnsType<Event> {
  const say = useWords(words);
  const siteName = useSiteName();
  const cameraName = useCameraName();
  return useMemo(
    () => [
      {
        key: 'picture',
        title: say('picture'),
        width: 112,
        render: (_, event) => <SmallPicture event={event} />,
      },
      { key: 'time', title: say('time'), render: (_, event) => <EventTime event={event} /> },
      {
        key: 'severity',
        title: say('severity'),
        render: (_, { severity }) => <SeverityTag severity={severity} />,
      },
      { key: 'type', title: say('type'), render: (_, event) => <What event={event} /> },
      {
        key: 'camera',
        title: say('camera'),
        render: (_, event) => {
          const [name, { cameraRef }] = [cameraName(event), event];
          return (
            <Cut first={name ?? say(event.source)} second={name === cameraRef ? undefined : cameraRef} />
          );
        },
      },
      {
        key: 'site',
        title: say('site'),
        render: (_, { instance, siteRef }) => <Cut first={siteName(instance)} second={siteRef} />,
      },
      ...(tenants
        ? [
            {
              key: 'tenant',
              title: say('tenant'),
              render: (_: unknown, { tenantCode }: Event) => <Cut first={tenantCode} />,
            },
          ]
        : []),
      { key: 'verdict', title: say('verdict'), render: (_, event) => <VerdictTag event={event} /> },
      { key: 'by', title: say('judgedBy'), render: (_, event) => <JudgedBy event={event} /> },
      {
        key: 'test',
        title: say('test'),
        render: (_, { isTest }) =>
          isTest && (
            <Tag icon={<ExperimentOutlined />} color="processing">
              {say('test')}
            </Tag>
          ),
      },
    ],
    [say, siteName, cameraName, tenants],
  );
}

function What({ event: { id, title, type, tenantCode } }: { event: Event }) {
  const named = useTypeName(tenantCode)(type);
  return (
    <div className="two-lines">
      <Link to="/events/$id" params={{ id: String(id) }} className="cut" title={title ?? type}>
        <bdi>{title ?? named}</bdi>
      </Link>
      {title !== undefined && title !== named && (
        <span className="quiet cut" title={type}>
          {named}
        </span>
      )}
    </div>
  );
}

function Cut({ first, second }: { first: string; second?: string | undefined }) {
  return (
    <div className="two-lines">
      <bdi className="cut" title={first}>
        {first}
      </bdi>
      {second !== undefined && second !== '' && (
        <bdi className="quiet cut" title={second}>
          {second}
        </bdi>
      )}
    </div>
  );
}

function JudgedBy({ event: { verdictBy, verdictByKind, verdictAt, instance } }: { event: Event }) {
  const say = useWords(words);
  if (verdictBy === null) return null;
  return (
    <div className="two-lines">
      <span className="cut" title={verdictBy}>
        <bdi>{verdictBy}</bdi>
      </span>
      {verdictAt !== null && (
        <span className="quiet">
          {verdictByKind !== null && `${say(verdictByKind)} · `}
          <Time at={verdictAt} site={instance} ago />
        </span>
      )}
    </div>
  );
}
