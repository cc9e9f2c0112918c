import { Link } from '@tanstack/react-router';
import { Card, Descriptions, Flex } from 'antd';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { TypeNames } from '../event/type-name.tsx';
import { nameOf, Span, StateTag } from './labels.tsx';
import { type IncidentDetail, sizeOf } from './queries.ts';
import { words } from './words.ts';

/** What the group says of itself, and which groups have the same events in other layers. */
export function Facts({ group }: { group: IncidentDetail }) {
  const say = useWords(words);
  const { instance: site, firstAppearance: first, confirmedBy, confirmedAt, splitFrom, otherLayers } = group;
  const items = [
    { key: 'state', label: say('state'), children: <StateTag state={group.state} /> },
    { key: 'layer', label: say('layer'), children: `${group.layer} · ${say(group.layer)}` },
    { key: 'severity', label: say('severity'), children: <SeverityTag severity={group.severity} /> },
    {
      key: 'place',
      label: say('place'),
      children: <bdi className="wrap">{nameOf({ ...group, title: null })}</bdi>,
    },
    {
      key: 'members',
      label: say('members'),
      children:
        group.testMemberCount === 0
          ? group.memberCount
          : say('membersAndTests', { all: sizeOf(group), tests: group.testMemberCount }),
    },
    {
      key: 'types',
      label: say('types'),
      children: <TypeNames tenant={group.tenantCode} types={group.eventTypes} />,
    },
    { key: 'sources', label: say('sources'), children: group.sources.map((one) => say(one)).join(', ') },
    { key: 'span', label: say('span'), children: <Span group={group} /> },
    ...(first === null
      ? []
      : [
          {
            key: 'first',
            label: say('firstAppearance'),
            children: (
              <span>
                <Time at={first.at} site={site} /> {group.firstAppearanceLocked && say('locked')}
              </span>
            ),
          },
        ]),
    ...(confirmedBy === null
      ? []
      : [
          {
            key: 'confirmed',
            label: say('confirmedBy'),
            children: (
              <Flex gap="small" wrap>
                <bdi className="wrap">{confirmedBy}</bdi>
                {confirmedAt !== null && <Time at={confirmedAt} site={site} />}
              </Flex>
            ),
          },
        ]),
    ...(splitFrom === null
      ? []
      : [{ key: 'from', label: say('splitFrom'), children: <GroupLink id={splitFrom} /> }]),
    ...otherLayers.map(({ id, layer, sharedCount }) => ({
      key: `other-${id}`,
      label: say(layer),
      children: (
        <Flex gap="small" wrap>
          <GroupLink id={id} /> <span className="quiet">{say('shared', { count: sharedCount })}</span>
        </Flex>
      ),
    })),
  ];
  return (
    <Card size="small" title={say('facts')}>
      <Descriptions size="small" column={1} items={items} />
    </Card>
  );
}

function GroupLink({ id }: { id: number }) {
  const say = useWords(words);
  return (
    <Link to="/incidents/$id" params={{ id: String(id) }}>
      {say('number', { id })}
    </Link>
  );
}
