import { Alert, Descriptions, Flex, Modal } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { type Subscription, SUBSCRIPTIONS } from './queries.ts';
import { words } from './words.ts';

/**
 * Says what pausing a consumer, or setting it going, means before it is done.
 * @param subscription null: it is not asked
 */
export function PauseConsumer({
  subscription,
  close,
}: {
  subscription: Subscription | null;
  close: () => void;
}) {
  const say = useWords(words);
  const { run, pending, error, reset } = useAct({
    act: ({ consumer, enabled }: Subscription) =>
      answerOf(
        api.PATCH('/api/core/subscriptions/{consumer}', {
          params: { path: { consumer } },
          body: { enabled: !enabled },
        }),
      ),
    changes: [SUBSCRIPTIONS],
    done: ({ enabled }) => say(enabled ? 'resumed' : 'nowPaused'),
    then: close,
    quiet: true,
  });
  const leave = (): void => {
    reset();
    close();
  };
  const enabled = subscription?.enabled ?? false;
  return (
    <Modal
      open={subscription !== null}
      title={say(enabled ? 'pauseTitle' : 'resumeTitle', { consumer: subscription?.consumer ?? '' })}
      okText={say(enabled ? 'pause' : 'resume')}
      cancelText={say('cancel')}
      okButtonProps={{ danger: enabled, loading: pending }}
      onOk={() => subscription && run(subscription)}
      onCancel={leave}
      destroyOnHidden
    >
      {subscription && (
        <Flex vertical gap="middle">
          <Meaning subscription={subscription} />
          {error && <Fault error={error} />}
        </Flex>
      )}
    </Modal>
  );
}

/** How it is now, and how it is then. */
function Meaning({
  subscription: { consumer, pushUrl, enabled, lag, lagCapped, cursor },
}: {
  subscription: Subscription;
}) {
  const say = useWords(words);
  const { language } = useLanguage();
  const count = `${number(lag, language)}${lagCapped ? '+' : ''}`;
  const behind = lag === 0 && !lagCapped ? say('upToDate') : say('events', { count });
  return (
    <>
      <Descriptions
        column={1}
        size="small"
        bordered
        items={[
          { key: 'cursor', label: say('cursor'), children: number(cursor, language) },
          { key: 'lag', label: say('lag'), children: behind },
        ]}
      />
      <span>{say(enabled ? (pushUrl === null ? 'pausesPull' : 'pausesPush') : 'resumes')}</span>
      {enabled && consumer === 'agent' && <Alert type="warning" showIcon title={say('pausesRules')} />}
    </>
  );
}
