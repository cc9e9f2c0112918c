import { Flex, Typography } from 'antd';
import { Time } from '../../../time/time.tsx';
import { useSiteName } from '../../site/name.tsx';
import { SeverityTag } from '../labels.tsx';
import { SmallPicture } from '../picture.tsx';
import type { Event } from '../queries.ts';
import { useTypeName } from '../type-name.tsx';

/** What somebody who judges an event must know of it. */
export function EventHead({ event }: { event: Event }) {
  const { title, type, description, instance, cameraName, cameraRef, tenantCode } = event;
  const named = useTypeName(tenantCode)(type);
  const siteName = useSiteName();
  return (
    <Flex gap="middle" align="start" wrap className="event-head">
      <SmallPicture event={event} />
      <Flex vertical gap={4} className="event-head-text">
        <Flex gap="small" wrap>
          <SeverityTag severity={event.severity} />
          <Time at={event.occurredAt ?? event.receivedAt} site={instance} />
        </Flex>
        <strong>{title ?? named}</strong>
        <span className="quiet">
          {[named, cameraName ?? cameraRef, siteName(instance)].filter(Boolean).join(' · ')}
        </span>
        {description !== undefined && (
          <Typography.Paragraph ellipsis={{ rows: 3, tooltip: description }} style={{ margin: 0 }}>
            {description}
          </Typography.Paragraph>
        )}
      </Flex>
    </Flex>
  );
}
