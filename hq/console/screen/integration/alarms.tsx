import { useQuery } from '@tanstack/react-query';
import { Alert, Flex } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { LIVE } from '../../api/queries.ts';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useAlarmText } from '../alarm/labels.tsx';
import { words } from './words.ts';

/** Alarms that are shown; the worst come first. */
const SHOWN = 5;

/** What is wrong with deliveries, tokens or sources, also for whoever may not see all alarms. */
export function IntegrationAlarms({ tenant }: { tenant: string | undefined }) {
  const say = useWords(words);
  const textOf = useAlarmText();
  const { data } = useQuery({
    ...LIVE,
    queryKey: ['integration alarms', tenant],
    queryFn: () =>
      answerOf(
        api.GET('/api/integration/alarms', {
          params: { query: { limit: SHOWN, ...(tenant === undefined ? {} : { tenant_code: tenant }) } },
        }),
      ),
  });
  if (!data || data.items.length === 0) return null;
  return (
    <Flex vertical gap="small" role="region" aria-label={say('alarms')}>
      {data.items.map((alarm) => (
        <Alert
          key={`${alarm.instance} ${alarm.key}`}
          showIcon
          type={alarm.severity === 'critical' ? 'error' : 'warning'}
          title={<bdi>{textOf(alarm)}</bdi>}
          description={
            <>
              {say('alarmSince')} <Time at={alarm.raisedAt} />
            </>
          }
        />
      ))}
      {data.hasMore && <span className="quiet">{say('moreAlarms')}</span>}
    </Flex>
  );
}
