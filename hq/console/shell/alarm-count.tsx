import { BellOutlined } from '@ant-design/icons';
import { useQuery } from '@tanstack/react-query';
import { Badge, Button, Tooltip } from 'antd';
import { answerOf, api } from '../api/client.ts';
import { LIVE } from '../api/queries.ts';
import { useSession } from '../session/session.tsx';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

/** As many as the badge tells apart. */
const LIMIT = 100;

/** How many alarms are raised, for who may see them. */
export function AlarmCount() {
  const say = useWords(words);
  const { can } = useSession();
  const { data } = useQuery({
    ...LIVE,
    queryKey: ['alarms', 'count'],
    queryFn: () => answerOf(api.GET('/api/core/alarms', { params: { query: { limit: LIMIT } } })),
    enabled: can('operation.view'),
  });
  if (!data) return null;
  const count = data.hasMore ? `${LIMIT}+` : data.items.length;
  const critical = data.items.some(({ severity }) => severity === 'critical');
  return (
    <Tooltip title={say('alarms', { count })}>
      <Badge
        count={data.items.length}
        overflowCount={LIMIT - 1}
        color={critical ? 'red' : 'orange'}
        size="small"
      >
        <Button type="text" icon={<BellOutlined />} aria-label={say('alarms', { count })} />
      </Badge>
    </Tooltip>
  );
}
