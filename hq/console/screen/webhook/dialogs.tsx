import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useCallback, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { SecretShown, type Shown } from '../integration/secret.tsx';
import type { Ask, Question } from './actions.tsx';
import { DELIVERIES, type Webhook, WEBHOOKS } from './queries.ts';
import { DisableWebhook, EditWebhook, RecoverWebhook, RemoveWebhook, RotateSecret } from './questions.tsx';
import { words } from './words.ts';

/** What is asked before a webhook is changed, for a list and for the screen of one. */
export function useWebhookDialogs(): { ask: Ask; dialogs: ReactNode } {
  const [asked, setAsked] = useState<{ question: Question; webhook: Webhook } | null>(null);
  const [shown, show] = useState<Shown | null>(null);
  const { test, enable } = useAtOnce();
  const ask = useCallback<Ask>(
    (question, webhook) => {
      if (question === 'test') test(webhook);
      else if (question === 'enable') enable(webhook);
      else setAsked({ question, webhook });
    },
    [test, enable],
  );
  const close = useCallback(() => setAsked(null), []);
  const at = (question: Question) => ({
    webhook: asked?.question === question ? asked.webhook : null,
    close,
  });
  return {
    ask,
    dialogs: (
      <>
        <EditWebhook {...at('edit')} />
        <RotateSecret {...at('rotate')} show={show} />
        <RecoverWebhook {...at('recover')} />
        <DisableWebhook {...at('disable')} />
        <RemoveWebhook {...at('remove')} />
        <SecretShown shown={shown} close={() => show(null)} />
      </>
    ),
  };
}

/** What is done without being asked about: neither takes anything away. */
function useAtOnce() {
  const say = useWords(words);
  const navigate = useNavigate();
  const { run: test } = useAct({
    act: ({ id }: Webhook) =>
      answerOf(api.POST('/api/integration/webhooks/{id}/test', { params: { path: { id } } })),
    changes: [WEBHOOKS, DELIVERIES],
    done: () => say('tested'),
    then: ({ id, webhookId }) => {
      const params = { id: webhookId };
      void navigate({ to: '/integration/webhooks/$id', params, search: { delivery: id } });
    },
  });
  const { run: enable } = useAct({
    act: ({ id }: Webhook) =>
      answerOf(
        api.PATCH('/api/integration/webhooks/{id}', {
          params: { path: { id } },
          body: { status: 'enabled' },
        }),
      ),
    changes: [WEBHOOKS],
    done: () => say('enabledDone'),
  });
  return { test, enable };
}
