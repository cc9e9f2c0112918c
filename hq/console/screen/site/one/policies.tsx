import { Link } from '@tanstack/react-router';
import { type TableColumnsType, Tag, Typography } from 'antd';
import { DataTable } from '../../../list/data-table.tsx';
import { AsOf } from '../../../page/fault.tsx';
import { Nothing } from '../../../page/nothing.tsx';
import { useSession } from '../../../session/session.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { type SiteLibrary, useLibraries } from '../queries.ts';
import { policyWords as words } from './policy-words.ts';

const COLORS = { here: 'success', waiting: 'processing', refused: 'error' } as const;
/** A version of the library of which nothing goes to the site. */
const NOTHING = '-';

/** Which policies in force the site has, which are on their way, and which it did not take. */
export function Policies({ instance }: { instance: string }) {
  const say = useWords(words);
  const query = useLibraries(instance);
  return (
    <>
      <Typography.Paragraph type="secondary">{say('means')}</Typography.Paragraph>
      <AsOf query={query} />
      <DataTable<SiteLibrary>
        rowKey="tenantCode"
        columns={useColumns(instance)}
        dataSource={query.data ?? []}
        query={query}
        locale={{ emptyText: <Nothing none={say('none')} /> }}
      />
    </>
  );
}

function useColumns(instance: string): TableColumnsType<SiteLibrary> {
  const say = useWords(words);
  const { language } = useLanguage();
  return [
    {
      key: 'tenant',
      title: say('tenant'),
      render: (_, { tenantCode }) => <FilesOf tenant={tenantCode} />,
    },
    {
      key: 'state',
      title: say('state'),
      render: (_, row) =>
        row.version === NOTHING ? (
          <span className="quiet">{say('nothing')}</span>
        ) : (
          <Tag color={COLORS[row.state]}>{say(row.state)}</Tag>
        ),
    },
    {
      key: 'files',
      title: say('files'),
      align: 'end',
      render: (_, { files, filesDue }) => (
        <span className="number">
          {files === filesDue
            ? number(files, language)
            : say('of', { here: number(files, language), due: number(filesDue, language) })}
        </span>
      ),
    },
    {
      key: 'clauses',
      title: say('clauses'),
      align: 'end',
      render: (_, { clauses }) => <span className="number">{number(clauses, language)}</span>,
    },
    { key: 'since', title: say('since'), render: (_, row) => <Time at={row.since} site={instance} /> },
    {
      key: 'held',
      title: say('held'),
      render: (_, { heldAt }) => (heldAt === null ? say('never') : <Time at={heldAt} site={instance} />),
    },
    {
      key: 'reason',
      title: say('reason'),
      render: (_, { reason, reasonZh }) =>
        reason !== null && <div className="said">{language === 'zh' ? (reasonZh ?? reason) : reason}</div>,
    },
  ];
}

/** The files themselves are listed in the library. */
function FilesOf({ tenant }: { tenant: string }) {
  const { can } = useSession();
  const name = <span className="name">{tenant}</span>;
  if (!can('policy.view')) return name;
  return (
    <Link to="/library/files" search={{ tenant, status: 'effective' }}>
      {name}
    </Link>
  );
}
