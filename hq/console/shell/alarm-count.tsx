import { BellOutlined } from '@ant-design/icons';
import { Badge, Tooltip } from 'antd';
import { LinkButton } from '../page/link-button.tsx';
import { useAlarmCount } from '../screen/alarm/queries.ts';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

/** How many alarms stand, for who may see them; leads to them. */
export function AlarmCount() {
  const say = useWords(words);
  const { data } = useAlarmCount();
  if (!data) return null;
  const { total: count, critical } = data;
  return (
    <Tooltip title={say('alarms', { count })}>
      <Badge
        count={count}
        overflowCount={999}
        className={critical > 0 ? 'count-urgent' : 'count'}
        size="small"
      >
        <LinkButton
          variant="text"
          color="default"
          icon={<BellOutlined />}
          aria-label={say('alarms', { count })}
          to="/admin"
          search={{ tab: 'alarms' }}
        />
      </Badge>
    </Tooltip>
  );
}
