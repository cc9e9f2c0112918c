import { Link } from '@tanstack/react-router';
import { Card, Descriptions, Tag } from 'antd';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { Level } from '../policy/marks.tsx';
import { MachineMark, ValidUntil } from './labels.tsx';
import type { Knowledge } from './queries.ts';
import { words } from './words.ts';

export function Facts({ object }: { object: Knowledge }) {
  const say = useWords(words);
  const { identity } = useSession();
  const rows: [string, ReactNode][] = [
    [say('kind'), <Tag key="kind">{say(object.kind)}</Tag>],
    [say('version'), say('nth', { version: object.version })],
    [say('level'), <Level key="level" level={object.securityLevel} />],
    [say('created'), <Time key="created" at={object.createdAt} />],
    [
      say('by'),
      <>
        <bdi>{object.createdBy}</bdi> <MachineMark made={object.machineGenerated} />
      </>,
    ],
    ...(object.version > 1
      ? [[say('updated'), <Time key="updated" at={object.updatedAt} />] as [string, ReactNode]]
      : []),
    ...(object.validUntil === null
      ? []
      : [[say('validUntil'), <ValidUntil key="until" at={object.validUntil} />] as [string, ReactNode]]),
    [say('system'), <bdi key="system">{object.srcSystem}</bdi>],
    [say('systemKey'), <bdi key="key">{object.srcPk}</bdi>],
    ...(identity.tenantCode === null ? [[say('tenant'), object.tenantCode] as [string, ReactNode]] : []),
    ...Object.entries(object.sourceRef).map(([name, value]): [string, ReactNode] => [
      name,
      <Reference key={name} name={name} value={value} />,
    ]),
  ];
  return (
    <Card size="small" title={say('facts')}>
      <Descriptions
        size="small"
        column={1}
        items={rows.map(([label, children]) => ({
          key: label,
          label: <span className="breaks">{label}</span>,
          children: <span className="breaks">{children}</span>,
        }))}
      />
    </Card>
  );
}

/** A member of what it is about; events lead to their page. */
function Reference({ name, value }: { name: string; value: unknown }) {
  const say = useWords(words);
  const { can } = useSession();
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if ((name === 'event_id' || name === 'eventId') && /^\d+$/.test(text) && can('events.view'))
    return (
      <Link to="/events/$id" params={{ id: text }}>
        {say('eventLink', { id: text })}
      </Link>
    );
  return <bdi>{text}</bdi>;
}
