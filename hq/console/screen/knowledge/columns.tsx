import { Link } from '@tanstack/react-router';
import { type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { Level } from '../policy/marks.tsx';
import { MachineMark } from './labels.tsx';
import type { KnowledgeMeta } from './queries.ts';
import { words } from './words.ts';

/** @param tenants with a column for the tenant, for who sees several */
export function useColumns(tenants: boolean): TableColumnsType<KnowledgeMeta> {
  const say = useWords(words);
  return useMemo(
    () => [
      { key: 'kind', title: say('kind'), render: (_, { kind }) => <Tag>{say(kind)}</Tag> },
      { key: 'title', title: say('name'), render: (_, one) => <Title one={one} /> },
      {
        key: 'version',
        title: say('version'),
        align: 'end',
        render: (_, { version }) => <span className="number">{version}</span>,
      },
      { key: 'level', title: say('level'), render: (_, one) => <Level level={one.securityLevel} /> },
      { key: 'created', title: say('created'), render: (_, { createdAt }) => <Time at={createdAt} /> },
      {
        key: 'updated',
        title: say('updated'),
        render: (_, { version, updatedAt }) => version > 1 && <Time at={updatedAt} />,
      },
      {
        key: 'system',
        title: say('system'),
        render: (_, { srcSystem }) => (
          <div className="two-lines">
            <bdi className="cut" title={srcSystem}>
              {srcSystem}
            </bdi>
          </div>
        ),
      },
      ...(tenants
        ? [
            {
              key: 'tenant',
              title: say('tenant'),
              render: (_: unknown, { tenantCode }: KnowledgeMeta) => (
                <div className="two-lines">
                  <bdi className="cut" title={tenantCode}>
                    {tenantCode}
                  </bdi>
                </div>
              ),
            },
          ]
        : []),
    ],
    [say, tenants],
  );
}

/** For a narrow screen: all of it in one cell. */
export function useNarrowColumns(): TableColumnsType<KnowledgeMeta> {
  const say = useWords(words);
  return useMemo(
    () => [
      {
        key: 'title',
        title: say('name'),
        render: (_, one) => (
          <div className="wrap">
            <Title one={one} />
            <div>
              <Tag>{say(one.kind)}</Tag> {say('nth', { version: one.version })} ·{' '}
              <Level level={one.securityLevel} />
            </div>
            <div className="quiet">
              <Time at={one.createdAt} />
            </div>
          </div>
        ),
      },
    ],
    [say],
  );
}

function Title({ one }: { one: KnowledgeMeta }) {
  return (
    <div className="two-lines">
      <Link
        to="/reports/$id"
        params={{ id: String(one.coreId) }}
        search={{ tenant: one.tenantCode }}
        className="cut"
        title={one.title}
      >
        <bdi>{one.title}</bdi>
      </Link>
      <span>
        <MachineMark made={one.machineGenerated} />
      </span>
    </div>
  );
}
