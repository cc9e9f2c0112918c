import { Link } from '@tanstack/react-router';
import { Flex, type TableColumnsType } from 'antd';
import { DataTable } from '../../list/data-table.tsx';
import { MoreRows } from '../../list/growing-rows.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useCameraName } from '../camera/name.tsx';
import { SeverityTag, VerdictTag } from '../event/labels.tsx';
import { useTypeName } from '../event/type-name.tsx';
import type { Member, useIncident } from './queries.ts';
import { words } from './words.ts';

/** @param choose which of them are to be split off; absent: nobody chooses */
export function Members({
  members,
  query,
  chosen,
  choose,
  site,
  tenant,
}: {
  members: Member[];
  query: ReturnType<typeof useIncident>;
  chosen: number[];
  choose: ((ids: number[]) => void) | undefined;
  site: string | null;
  /** Whose names the types have. */
  tenant: string;
}) {
  const { hasNextPage: hasMore, fetchNextPage, isFetchingNextPage: loadingMore } = query;
  const say = useWords(words);
  return (
    <Flex vertical gap="small">
      <DataTable<Member>
        rowKey={({ eventId }) => eventId}
        columns={useColumns(site, tenant)}
        dataSource={members}
        {...(choose && {
          rowSelection: {
            selectedRowKeys: chosen,
            onChange: (keys) => choose(keys.map(Number)),
            getTitleCheckboxProps: () => ({ 'aria-label': say('memberList') }),
            getCheckboxProps: ({ eventId }: Member) => ({ 'aria-label': `${say('event')} ${eventId}` }),
          },
        })}
      />
      <MoreRows list={{ hasMore, loadMore: () => void fetchNextPage(), loadingMore }} />
    </Flex>
  );
}

function useColumns(site: string | null, tenant: string): TableColumnsType<Member> {
  const say = useWords(words);
  const cameraName = useCameraName();
  return [
    { key: 'time', title: say('time'), render: (_, { at }) => <Time at={at} site={site} /> },
    {
      key: 'event',
      title: say('event'),
      render: (_, member) => <What member={member} tenant={tenant} />,
    },
    {
      key: 'severity',
      title: say('severity'),
      render: (_, { event }) => event && <SeverityTag severity={event.severity} />,
    },
    {
      key: 'camera',
      title: say('camera'),
      render: (_, { event }) =>
        event && (
          <div className="two-lines">
            <bdi className="cut">{cameraName({ tenantCode: tenant, ...event }) ?? say(event.source)}</bdi>
          </div>
        ),
    },
    {
      key: 'verdict',
      title: say('verdict'),
      render: (_, { event }) => event && <VerdictTag event={event} />,
    },
  ];
}

function What({ member: { eventId, event }, tenant }: { member: Member; tenant: string }) {
  const say = useWords(words);
  const named = useTypeName(tenant);
  const what = event === null ? say('gone') : named(event.type);
  const title = event === null ? String(eventId) : (event.title ?? what);
  return (
    <div className="two-lines">
      <Link to="/events/$id" params={{ id: String(eventId) }} className="cut" title={title}>
        <bdi>{title}</bdi>
      </Link>
      {what !== title && (
        <span className="quiet cut" title={event?.type}>
          {what}
        </span>
      )}
    </div>
  );
}
