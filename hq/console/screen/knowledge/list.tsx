import { useNavigate } from '@tanstack/react-router';
import { Flex, Select } from 'antd';
import { ExportButton, type Sheet } from '../../csv/download.tsx';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { Period } from '../../list/period.tsx';
import { Typed } from '../../list/typed.tsx';
import { useSession } from '../../session/session.tsx';
import { useTimeText } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { words as levelWords } from '../policy/words.ts';
import { kinds, type ReportFilters, reportFilters } from '../report/filters.ts';
import { TenantChoice } from '../report/tenant.tsx';
import { AddKnowledge } from './add.tsx';
import { useColumns, useNarrowColumns } from './columns.tsx';
import { type KnowledgeMeta, readKnowledge, useKnowledge } from './queries.ts';
import { words } from './words.ts';

const Knowledge = defineList<KnowledgeMeta>({
  keyOf: ({ coreId }) => String(coreId),
  useColumns: () => useColumns(useSession().identity.tenantCode === null),
  useNarrowColumns,
  useOpen: () => {
    const navigate = useNavigate();
    return ({ coreId, tenantCode: tenant }) =>
      void navigate({ to: '/reports/$id', params: { id: String(coreId) }, search: { tenant } });
  },
});

/** Reports, cases and lists that people and machines wrote. */
export function KnowledgeList() {
  const say = useWords(words);
  const { filters, change, clearOf } = useFilters(reportFilters);
  return (
    <>
      <FilterBar filters={filters} change={change} />
      <Knowledge
        list={useKnowledge(filters)}
        none={say('none')}
        clear={clearOf('since', 'until', 'tenant', 'kind', 'system', 'event')}
      />
    </>
  );
}

function FilterBar({
  filters,
  change,
}: {
  filters: ReportFilters;
  change: (patch: Partial<ReportFilters>) => void;
}) {
  const say = useWords(words);
  const sheet = useSheet(filters);
  return (
    <Flex gap="small" wrap align="center" role="search" aria-label={say('kind')}>
      <Select
        className="filter-choice"
        allowClear
        placeholder={say('kind')}
        aria-label={say('kind')}
        value={filters.kind ?? null}
        options={kinds.map((value) => ({ value, label: say(value) }))}
        onChange={(kind) => change({ kind: kind ?? undefined })}
      />
      <Period span={filters} change={change} label={say('created')} />
      <Typed
        label={say('system')}
        value={filters.system}
        change={(system) => change({ system })}
        maxLength={64}
      />
      <Typed
        label={say('event')}
        value={filters.event}
        change={(event) => change({ event })}
        maxLength={16}
      />
      <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant })} />
      <AddKnowledge kind={filters.kind} />
      <ExportButton label={say('export')} name={say('fileName')} read={sheet} />
    </Flex>
  );
}

/** The whole list as a table for a file. */
function useSheet(filters: ReportFilters): () => Promise<Sheet> {
  const say = useWords(words);
  const sayLevel = useWords(levelWords);
  const text = useTimeText();
  return async () => {
    const { items, cut } = await readKnowledge(filters);
    return {
      head: [
        say('number', { id: '' }).trim(),
        say('kind'),
        say('name'),
        say('version'),
        say('level'),
        say('created'),
        say('updated'),
        say('by'),
        say('system'),
        say('systemKey'),
        say('tenant'),
      ],
      rows: items.map((one) => [
        one.coreId,
        say(one.kind),
        one.title,
        one.version,
        sayLevel(one.securityLevel),
        text.full(one.createdAt),
        one.version > 1 ? text.full(one.updatedAt) : null,
        one.createdBy,
        one.srcSystem,
        one.srcPk,
        one.tenantCode,
      ]),
      cut,
    };
  };
}
