import { Link } from '@tanstack/react-router';
import { Card, Flex, Tag } from 'antd';
import { AsOf } from '../../page/fault.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { sizeOf } from '../incident/queries.ts';
import { detailWords } from './detail-words.ts';
import { SeverityTag } from './labels.tsx';
import { useGroups } from './queries.ts';
import { stepWords } from './step-words.ts';

/** The groups that have the event, one a layer at most. @param site whose zone their times have */
export function Groups({ id, site }: { id: number; site: string }) {
  const say = useWords(detailWords);
  const sayStep = useWords(stepWords);
  const groups = useGroups(id, true);
  return (
    <Card size="small" title={say('groups')}>
      <AsOf query={groups} />
      {groups.data?.items.length === 0 && <span className="quiet">{say('noGroups')}</span>}
      <Flex vertical gap="small">
        {groups.data?.items.map((group) => (
          <Flex key={group.id} vertical gap={4}>
            <Flex gap="small" wrap align="center">
              <Tag>{group.layer}</Tag>
              <Tag>{sayStep(group.state)}</Tag>
              <SeverityTag severity={group.severity} />
              <span className="quiet">{say('members', { count: sizeOf(group) })}</span>
            </Flex>
            <Link to={`/incidents/${group.id}` as string} className="wrap">
              <bdi>{group.title ?? [group.siteRef, group.pointRef].filter(Boolean).join(' · ')}</bdi>
            </Link>
            <span className="quiet">
              <Time at={group.firstAt} site={site} /> – <Time at={group.lastAt} site={site} />
            </span>
          </Flex>
        ))}
      </Flex>
    </Card>
  );
}
