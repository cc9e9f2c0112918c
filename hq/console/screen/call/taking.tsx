import { CheckCircleFilled, PhoneOutlined } from '@ant-design/icons';
import { App, Button, Card, Flex, Tag } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { type Event, eventsKey } from '../event/queries.ts';
import { type Call, CALLS, useCalls } from './queries.ts';
import { words } from './words.ts';

/** Who was called of an event, and who has it; with the button that takes it. */
export function Taking({ event }: { event: Event }) {
  const say = useWords(words);
  const { can } = useSession();
  const { data } = useCalls([event.id]);
  const call = data?.get(event.id);
  const act = useTake(event.id);
  if (!data || (event.verdict !== null && !call?.takenBy)) return null;
  const open = event.verdict === null && call?.state !== 'taken' && call?.state !== 'judged';
  return (
    <Card size="small" title={say('response')}>
      <Flex gap="middle" wrap align="center" justify="space-between">
        <Standing call={call} site={event.instance} />
        {open && can('events.judge') && (
          <Button
            type="primary"
            icon={<PhoneOutlined />}
            loading={act.pending}
            onClick={() => act.run(undefined)}
          >
            {say('take')}
          </Button>
        )}
      </Flex>
    </Card>
  );
}

function Standing({ call, site }: { call: Call | undefined; site: string }) {
  const say = useWords(words);
  if (call?.takenBy && call.takenAt !== null)
    return (
      <span>
        <CheckCircleFilled className="good" /> {say('taken', { who: call.takenBy })}{' '}
        <Time at={call.takenAt} site={site} />
      </span>
    );
  if (!call || call.state === 'judged') return <span className="quiet">{say('nobody')}</span>;
  if (call.state !== 'calling')
    return <span>{say(call.state === 'unanswered' ? 'unanswered' : 'told')}</span>;
  return (
    <Flex vertical>
      <span>{say('calling', { who: call.called.at(-1) ?? '' })}</span>
      {call.nextAt !== null && (
        <span className="quiet">
          {say('nextAt')} <Time at={call.nextAt} site={site} />
        </span>
      )}
    </Flex>
  );
}

function useTake(id: number) {
  const say = useWords(words);
  const { message } = App.useApp();
  return useAct({
    act: () => answerOf(api.POST('/api/core/duty/events/{id}/take', { params: { path: { id } } })),
    changes: [CALLS, eventsKey],
    done: () => null,
    then: ({ taken, takenBy }) => {
      if (taken) message.success(say('takenYou'));
      else message.warning(say('before', { who: takenBy ?? '' }));
    },
    conflict: () => say('over'),
  });
}

/** In a list: who has it; nothing where nobody has. */
export function TakenTag({ call }: { call: Call | undefined }) {
  const say = useWords(words);
  if (!call?.takenBy || call.takenAt === null) return null;
  return (
    <Tag color="success" icon={<CheckCircleFilled />}>
      {say('taken', { who: call.takenBy })} <Time at={call.takenAt} ago />
    </Tag>
  );
}
