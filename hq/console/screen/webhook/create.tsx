import { useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { SecretShown, type Shown } from '../integration/secret.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { words as common } from '../integration/words.ts';
import { SecretField, WebhookFields } from './fields.tsx';
import { type Webhook, WEBHOOKS } from './queries.ts';
import { words } from './words.ts';

interface Values {
  tenant_code: string;
  name: string;
  callback_url: string;
  events: Webhook['events'];
  signing_secret?: string;
}

/** Makes a webhook, and shows its secret once. */
export function CreateWebhook({ open, close }: { open: boolean; close: () => void }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const [shown, show] = useState<Shown | null>(null);
  const act = useAct({
    act: ({ signing_secret: secret, ...body }: Values) =>
      answerOf(
        api.POST('/api/integration/webhooks', {
          body: { ...body, ...(secret ? { signing_secret: secret } : {}), status: 'enabled' },
        }),
      ),
    changes: [WEBHOOKS],
    quiet: true,
    done: () => say('created'),
    then: ({ signingSecret, name }) => {
      close();
      show({
        title: name,
        lines: [{ label: say('secret'), value: signingSecret }],
      });
    },
  });
  return (
    <>
      <FormDialog<Values> open={open} title={say('create')} ok={sayCommon('create')} act={act} close={close}>
        <TenantField />
        <WebhookFields />
        <SecretField />
      </FormDialog>
      <SecretShown shown={shown} close={() => show(null)} />
    </>
  );
}
