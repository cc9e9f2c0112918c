import { Link } from '@tanstack/react-router';
import { Flex, type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { useTypeName } from '../event/type-name.tsx';
import { useSiteName } from '../site/name.tsx';
import { nameOf, Span, StateTag } from './labels.tsx';
import { type Incident, sizeOf } from './queries.ts';
import { words } from './words.ts';

/** For phones: all of a group in one cell. */
export function useNarrowColumns(): TableColumnsType<Incident> {
  const say = useWords(words);
  return useMemo(
    () => [{ key: 'place', title: say('place'), render: (_, group) => <Brief group={group} /> }],
    [say],
  );
}

function Brief({ group }: { group: Incident }) {
  const say = useWords(words);
  const { severity, state, layer } = group;
  return (
    <Flex vertical gap={4} className="wrap">
      <Place group={group} />
      <Flex gap={4} wrap>
        <SeverityTag severity={severity} />
        <StateTag state={state} />
      </Flex>
      <span>
        {say('members')}: <span className="number">{sizeOf(group)}</span> · {say(layer)}
      </span>
      <Span group={group} />
    </Flex>
  );
}

/** @param tenants names the tenant, for who sees several */
export function useColumns(tenants: boolean): TableColumnsType<Incident> {
  const say = useWords(words);
  const siteName = useSiteName();
  return useMemo(
    () => [
      { key: 'state', title: say('state'), render: (_, { state }) => <StateTag state={state} /> },
      {
        key: 'severity',
        title: say('severity'),
        render: (_, { severity }) => <SeverityTag severity={severity} />,
      },
      { key: 'place', title: say('place'), render: (_, group) => <Place group={group} /> },
      {
        key: 'layer',
        title: say('layer'),
        render: (_, { layer, sources }) => (
          <Cut text={say(layer)} second={sources.map((one) => say(one)).join(', ')} />
        ),
      },
      {
        key: 'members',
        title: say('members'),
        align: 'end',
        render: (_, group) => <span className="number">{sizeOf(group)}</span>,
      },
      { key: 'types', title: say('types'), render: (_, group) => <Types group={group} /> },
      { key: 'span', title: say('span'), render: (_, group) => <Span group={group} /> },
      {
        key: 'site',
        title: say('site'),
        render: (_, { instance, tenantCode }) => (
          <Cut
            text={instance === null ? say('headquarters') : siteName(instance)}
            second={tenants ? tenantCode : null}
          />
        ),
      },
    ],
    [say, siteName, tenants],
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

function Types({ group: { eventTypes, tenantCode } }: { group: Incident }) {
  const named = useTypeName(tenantCode);
  const names = [...new Set(eventTypes.map(named))];
  return (
    <div className="two-lines" title={eventTypes.join(', ')}>
      {names.slice(0, SHOWN).map((name) => (
        <bdi key={name} className="cut">
          {name}
        </bdi>
      ))}
      {names.length > SHOWN && <Tag>+{names.length - SHOWN}</Tag>}
    </div>
  );
}

function Cut({ text, second }: { text: string; second?: string | null }) {
  return (
    <div className="two-lines">
      <bdi className="cut" title={text}>
        {text}
      </bdi>
      {second && (
        <bdi className="quiet cut" title={second}>
          {second}
        </bdi>
      )}
    </div>
  );
}
