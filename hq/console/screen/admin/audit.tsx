import { Flex, Input, Select, Table, type TableColumnsType } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useFilters } from '../../list/filter.ts';
import { MoreRows, NewRows } from '../../list/growing-rows.tsx';
import { useGrowing } from '../../list/growing.ts';
import { useRows } from '../../list/rows.ts';
import { AsOf } from '../../page/fault.tsx';
import { Nothing } from '../../page/page.tsx';
import { Time, useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { adminFilters } from './filters.ts';
import type { AuditEntry } from './queries.ts';
import { words } from './words.ts';

/** Who did what? Newest first. */
export function Audit() {
  const say = useWords(words);
  const { filters, change } = useFilters(adminFilters);
  const { actor, action, subject, since } = filters;
  const list = useGrowing<AuditEntry>({
    key: ['audit', { actor, action, subject, since }],
    fetch: (cursor) => {
      const given = Object.entries({ actor, action, subject, since }).filter(([, value]) => value);
      const query = { ...Object.fromEntries(given), ...(cursor === null ? {} : { cursor: String(cursor) }) };
      return answerOf(api.GET('/api/core/audit', { params: { query } }));
    },
    idOf: ({ id }) => id,
  });
  const rows = useRows({ rows: list.rows, keyOf: ({ id }) => id });
  const columns: TableColumnsType<AuditEntry> = [
    { key: 'at', title: say('at'), render: (_, { at }) => <Time at={at} /> },
    { key: 'actor', title: say('actor'), render: (_, one) => <span className="name">{one.actor}</span> },
    { key: 'action', title: say('action'), render: (_, one) => <code>{one.action}</code> },
    {
      key: 'subject',
      title: say('subject'),
      render: (_, one) => <span className="name">{one.subject}</span>,
    },
    { key: 'tenant', title: say('tenant'), render: (_, { tenantCode }) => tenantCode },
  ];
  const filtered = [actor, action, subject, since].some((one) => one !== undefined);
  const clear = (): void =>
    change({ actor: undefined, action: undefined, subject: undefined, since: undefined });
  return (
    <Flex vertical gap="middle">
      <AsOf query={list.query} />
      <AuditFilters />
      <NewRows list={list} />
      <Table<AuditEntry>
        {...rows.table}
        columns={columns}
        dataSource={list.rows}
        loading={list.loading}
        size="small"
        scroll={{ x: 'max-content' }}
        pagination={false}
        expandable={{ expandedRowRender: (entry) => <Difference entry={entry} /> }}
        locale={{ emptyText: <Nothing none={say('noAudit')} clear={filtered ? clear : undefined} /> }}
      />
      <MoreRows list={list} />
    </Flex>
  );
}

const DAY_MS = 86_400_000;
const PERIODS = { day: DAY_MS, week: 7 * DAY_MS, month: 30 * DAY_MS } as const;
type Period = keyof typeof PERIODS;

function AuditFilters() {
  const say = useWords(words);
  const text = useTimeText();
  const { filters, change } = useFilters(adminFilters);
  const names = ['actor', 'action', 'subject'] as const;
  return (
    <Flex gap="small" wrap align="center">
      {names.map((name) => (
        <Input.Search
          key={`${name} ${filters[name]}`}
          className="filter-text"
          placeholder={say(name)}
          aria-label={say(name)}
          defaultValue={filters[name]}
          allowClear
          onSearch={(value) => change({ [name]: value === '' ? undefined : value })}
        />
      ))}
      <Select<Period>
        className="filter-choice"
        placeholder={say('anyTime')}
        aria-label={say('at')}
        allowClear
        value={null}
        options={(['day', 'week', 'month'] as const).map((value) => ({ value, label: say(value) }))}
        onChange={(period) => change({ since: new Date(Date.now() - PERIODS[period]).toISOString() })}
      />
      {filters.since && <span className="quiet">{say('since', { at: text.full(filters.since) })}</span>}
    </Flex>
  );
}

function Difference({ entry: { before, after } }: { entry: AuditEntry }) {
  const say = useWords(words);
  return (
    <Flex gap="large" wrap>
      {[['before', before] as const, ['after', after] as const].map(([name, value]) => (
        <div key={name}>
          <strong>{say(name)}</strong>
          <pre style={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {value === null || value === undefined ? '–' : JSON.stringify(value, null, 2)}
          </pre>
        </div>
      ))}
    </Flex>
  );
}
