import { Card, Flex } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../word/language.tsx';
import { SeverityTag } from '../event/labels.tsx';
import { decisionWords } from './decision-words.ts';
import { nameOf, Span, StateTag } from './labels.tsx';
import { type Incident, sizeOf } from './queries.ts';

/** A group in a dialog: what it is, and what becomes of it. @param what becomes of it */
export function GroupPreview({ group, what }: { group: Incident; what?: ReactNode }) {
  const say = useWords(decisionWords);
  return (
    <Card size="small">
      <Flex vertical gap={4} className="wrap">
        <Flex gap="small" wrap align="center">
          <span className="quiet number">{group.id}</span>
          <strong>
            <bdi>{nameOf(group)}</bdi>
          </strong>
        </Flex>
        <Flex gap={4} wrap>
          <StateTag state={group.state} />
          <SeverityTag severity={group.severity} />
          <span>{say('events', { count: sizeOf(group) })}</span>
        </Flex>
        <span className="quiet">
          <Span group={group} />
        </span>
        {what && <div>{what}</div>}
      </Flex>
    </Card>
  );
}
