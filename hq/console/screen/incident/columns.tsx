import { Link } from '@tanstack/react-router';
import { Tag, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { nameOf, Span, StateTag } from './labels.tsx';
import type { Incident } from './queries.ts';
import { words } from './words.ts';

/** @param tenants with a column for the tenant, for who sees several */
export function useColumns(tenants: boolean): TableColumnsType<Incident> {
  const say = useWords(words);
  return useMemo(
    () => [
      { key: 'state', title: say('state'), render: (_, { state }) => <StateTag state={state} /> },
      {
        key: 'severity',
        title: say('severity'),
        render: (_, { severity }) => <SeverityTag severity={severity} />,
      },
      { key: 'place', title: say('place'), render: (_, group) => <Place group={group} /> },
      { key: 'layer', title: say('layer'), render: (_, { layer }) => say(layer) },
      {
        key: 'members',
        title: say('members'),
        align: 'end',
        render: (_, { memberCount }) => <span className="number">{memberCount}</span>,
      },
      { key: 'types', title: say('types'), render: (_, { eventTypes }) => <Types types={eventTypes} /> },
      { key: 'span', title: say('span'), render: (_, group) => <Span group={group} /> },
      {
        key: 'sources',
        title: say('sources'),
        render: (_, { sources }) => sources.map((one) => say(one)).join(', '),
      },
      {
        key: 'site',
        title: say('site'),
        render: (_, { instance }) => <Cut text={instance ?? say('headquarters')} />,
      },
      ...(tenants
        ? [
            {
              key: 'tenant',
              title: say('tenant'),
              render: (_: unknown, { tenantCode }: Incident) => <Cut text={tenantCode} />,
            },
          ]
        : []),
    ],
    [say, tenants],
  );
}

function Place({ group }: { group: Incident }) {
  const name = nameOf(group);
  const where = [group.siteRef, group.pointRef].filter((one) => one !== null).join(' · ');
  return (
    <div className="two-lines">
      <Link to="/incidents/$id" params={{ id: String(group.id) }} className="cut" title={name}>
        <bdi>{name}</bdi>
      </Link>
      {where !== name && (
        <bdi className="quiet cut" title={where}>
          {where}
        </bdi>
      )}
    </div>
  );
}

/** As many as a row shows; the others are named on the page of the group. */
const SHOWN = 2;

function Types({ types }: { types: readonly string[] }) {
  return (
    <div className="two-lines" title={types.join(', ')}>
      {types.slice(0, SHOWN).map((type) => (
        <bdi key={type} className="cut">
          {type}
        </bdi>
      ))}
      {types.length > SHOWN && <Tag>+{types.length - SHOWN}</Tag>}
    </div>
  );
}

function Cut({ text }: { text: string }) {
  return (
    <div className="two-lines">
      <bdi className="cut" title={text}>
        {text}
      </bdi>
    </div>
  );
}
