import { useNavigate } from '@tanstack/react-router';
import { DatePicker, Form, Input, Typography } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { answerOf, api } from '../../api/client.ts';
import { timeNow } from '../../api/clock.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { changedOf } from '../integration/changed.ts';
import { FormDialog } from '../integration/form-dialog.tsx';
import { OverlapField } from '../integration/overlap.tsx';
import type { Shown } from '../integration/secret.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { words as common } from '../integration/words.ts';
import { SecretField, WebhookFields } from './fields.tsx';
import { DELIVERIES, type Webhook, WEBHOOKS } from './queries.ts';
import { words } from './words.ts';

/** Of which webhook it is asked; null: not. */
interface Asked {
  webhook: Webhook | null;
  close: () => void;
}

const path = (webhook: Webhook | null) => ({ path: { id: webhook?.id ?? '' } });

export function EditWebhook({ webhook, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const initial = webhook && {
    name: webhook.name,
    callback_url: webhook.callbackUrl,
    events: webhook.events,
  };
  const act = useAct({
    act: (typed: { name: string; callback_url: string; events: Webhook['events'] }) =>
      answerOf(
        api.PATCH('/api/integration/webhooks/{id}', {
          params: path(webhook),
          body: changedOf(initial ?? {}, typed),
        }),
      ),
    changes: [WEBHOOKS],
    quiet: true,
    then: close,
  });
  return (
    <FormDialog
      open={webhook !== null}
      title={say('edit')}
      ok={sayCommon('save')}
      act={act}
      close={close}
      {...(initial ? { initial } : {})}
    >
      <WebhookFields />
    </FormDialog>
  );
}

export function RotateSecret({ webhook, close, show }: Asked & { show: (shown: Shown) => void }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: ({ signing_secret: secret, ...rest }: { overlap_hours: number; signing_secret?: string }) =>
      answerOf(
        api.POST('/api/integration/webhooks/{id}/rotate', {
          params: path(webhook),
          body: { ...rest, ...(secret ? { signing_secret: secret } : {}) },
        }),
      ),
    changes: [WEBHOOKS],
    quiet: true,
    done: () => say('rotated'),
    then: ({ name, signingSecret }) => {
      close();
      show({ title: name, lines: [{ label: say('secret'), value: signingSecret }] });
    },
  });
  return (
    <FormDialog
      open={webhook !== null}
      title={`${sayCommon('rotate')}: ${webhook?.name ?? ''}`}
      ok={sayCommon('rotate')}
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('rotateWhy')}</Typography.Paragraph>
      <SecretField />
      <OverlapField />
    </FormDialog>
  );
}

export function RecoverWebhook({ webhook, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const navigate = useNavigate();
  const act = useAct({
    act: ({ since }: { since: Dayjs }) =>
      answerOf(
        api.POST('/api/integration/webhooks/{id}/recover', {
          params: path(webhook),
          body: { since: since.toISOString() },
        }),
      ),
    changes: [WEBHOOKS, DELIVERIES],
    quiet: true,
    done: ({ queued: count, hasMore }) => say(hasMore ? 'queuedMore' : 'queued', { count }),
    then: () => {
      close();
      if (webhook) void navigate({ to: '/integration/webhooks/$id', params: { id: webhook.id } });
    },
  });
  return (
    <FormDialog
      open={webhook !== null}
      title={`${say('recover')}: ${webhook?.name ?? ''}`}
      ok={say('recover')}
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('recoverWhy')}</Typography.Paragraph>
      <Form.Item
        name="since"
        label={say('since')}
        initialValue={dayjs(timeNow()).subtract(1, 'day')}
        rules={[{ required: true, message: sayCommon('needed') }]}
      >
        <DatePicker showTime={{ format: 'HH:mm' }} format="YYYY-MM-DD HH:mm Z" />
      </Form.Item>
    </FormDialog>
  );
}

export function DisableWebhook({ webhook, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: ({ reason }: { reason?: string }) =>
      answerOf(
        api.PATCH('/api/integration/webhooks/{id}', {
          params: path(webhook),
          body: { status: 'disabled', ...(reason?.trim() ? { reason: reason.trim() } : {}) },
        }),
      ),
    changes: [WEBHOOKS, DELIVERIES],
    quiet: true,
    done: () => say('disabledDone'),
    then: close,
  });
  return (
    <FormDialog
      open={webhook !== null}
      title={say('disable', { name: webhook?.name ?? '' })}
      ok={sayCommon('disable')}
      danger
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('disableWhy')}</Typography.Paragraph>
      <Form.Item name="reason" label={say('reason')} extra={say('reasonHint')}>
        <Input maxLength={500} />
      </Form.Item>
    </FormDialog>
  );
}

export function RemoveWebhook({ webhook, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const navigate = useNavigate();
  const act = useAct({
    act: () => answerOf(api.DELETE('/api/integration/webhooks/{id}', { params: path(webhook) })),
    changes: [[...WEBHOOKS, 'list']],
    quiet: true,
    done: () => say('removed'),
    then: () => {
      close();
      void navigate({ to: '/integration' });
    },
  });
  return (
    <WarnedDialog
      open={webhook !== null}
      title={say('remove', { name: webhook?.name ?? '' })}
      ok={sayCommon('remove')}
      why={say('removeWhy')}
      act={act}
      close={close}
    />
  );
}
