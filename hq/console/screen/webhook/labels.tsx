import { ExclamationCircleOutlined, GlobalOutlined, UnlockOutlined } from '@ant-design/icons';
import { Flex, Tag, Tooltip, Typography } from 'antd';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { EnabledTag } from '../integration/status.tsx';
import { eventWords } from './event-words.ts';
import type { Webhook } from './queries.ts';
import { words } from './words.ts';

/** What it is subscribed to; everything stands out, since nobody may have meant it. */
export function Subscribed({ events }: { events: Webhook['events'] }) {
  const say = useWords(words);
  const kind = useWords(eventWords);
  if (events !== 'all') return <Tag>{kind(events)}</Tag>;
  return (
    <Tooltip title={say('allWhy')}>
      <Tag color="warning" icon={<GlobalOutlined />} tabIndex={0}>
        {kind('all')}
      </Tag>
    </Tooltip>
  );
}

export function CallbackUrl({ url }: { url: string }) {
  const say = useWords(words);
  return (
    <Flex vertical gap={2} align="start">
      <Typography.Text className="callback-url" ellipsis={{ tooltip: url }}>
        <bdi>{url}</bdi>
      </Typography.Text>
      {!/^https:/i.test(url) && (
        <Tooltip title={say('unencryptedWhy')}>
          <Tag icon={<UnlockOutlined />} tabIndex={0}>
            {say('unencrypted')}
          </Tag>
        </Tooltip>
      )}
    </Flex>
  );
}

/** Enabled or not, and why not; and whether it fails. */
export function WebhookStatus({ webhook: { status, disabled, failures } }: { webhook: Webhook }) {
  const say = useWords(words);
  return (
    <Flex vertical gap={2} align="start">
      <EnabledTag status={status} />
      {disabled && (
        <>
          <span className="quiet">
            <Time at={disabled.at} ago />
          </span>
          <Typography.Text type="secondary" className="disabled-why" ellipsis={{ tooltip: disabled.reason }}>
            {say('disabledBy', {
              who: disabled.by.replace(/^user:/, ''),
              reason: disabled.reason ?? say('noReason'),
            })}
          </Typography.Text>
        </>
      )}
      {status === 'enabled' && failures > 0 && (
        <Tag color="error" icon={<ExclamationCircleOutlined />}>
          {say('failures', { count: failures })}
        </Tag>
      )}
    </Flex>
  );
}

export function LastDay({ counts: { success, failed, pending } }: { counts: Webhook['lastDay'] }) {
  const say = useWords(words);
  const { language } = useLanguage();
  if (success + failed + pending === 0) return <span className="quiet">{say('noneToday')}</span>;
  return (
    <Flex gap={4} wrap>
      {success > 0 && <Tag color="success">{say('delivered', { count: number(success, language) })}</Tag>}
      {failed > 0 && <Tag color="error">{say('failed', { count: number(failed, language) })}</Tag>}
      {pending > 0 && <Tag color="processing">{say('waiting', { count: number(pending, language) })}</Tag>}
    </Flex>
  );
}
