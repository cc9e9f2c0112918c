import { Form, Input, Typography } from 'antd';
import { type Answer, answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import type { Say } from '../../word/catalogue.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { OverlapField } from '../integration/overlap.tsx';
import { knownScopes, type Scope, ScopesField } from '../integration/scopes.tsx';
import type { Shown } from '../integration/secret.tsx';
import { TenantField } from '../integration/tenant-field.tsx';
import { WarnedDialog } from '../integration/warned-dialog.tsx';
import { words as common } from '../integration/words.ts';
import { type Client, CLIENTS } from './queries.ts';
import { words } from './words.ts';

/** Of which client it is asked; null: not. */
interface Asked {
  client: Client | null;
  close: () => void;
}
type Show = (shown: Shown) => void;

const path = (client: Client | null) => ({ path: { id: client?.client_id ?? '' } });

/** What a client is told once. */
const secretOf = (made: Answer<'/api/integration/clients', 'post'>, say: Say<typeof words>): Shown => ({
  title: made.name,
  lines: [
    { label: say('id'), value: made.client_id },
    { label: say('secret'), value: made.client_secret },
  ],
  hint: <Typography.Text type="secondary">{say('tokenHint', { tenant: made.tenantCode })}</Typography.Text>,
});

function NameField() {
  const sayCommon = useWords(common);
  return (
    <Form.Item
      name="name"
      label={sayCommon('name')}
      rules={[{ required: true, whitespace: true, message: sayCommon('needed') }]}
    >
      <Input maxLength={128} autoFocus />
    </Form.Item>
  );
}

export function CreateClient({ open, close, show }: { open: boolean; close: () => void; show: Show }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { can } = useSession();
  const act = useAct({
    act: (body: { tenant_code: string; name: string; scopes?: Scope[] }) =>
      answerOf(api.POST('/api/integration/clients', { body })),
    changes: [CLIENTS],
    quiet: true,
    done: () => say('created'),
    then: (made) => {
      close();
      show(secretOf(made, say));
    },
  });
  return (
    <FormDialog open={open} title={say('create')} ok={sayCommon('create')} act={act} close={close}>
      <TenantField />
      <NameField />
      {can('consumers.manage') && <ScopesField />}
    </FormDialog>
  );
}

export function EditClient({ client, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { can } = useSession();
  const act = useAct({
    act: (body: { name: string; scopes?: Scope[] }) =>
      answerOf(api.PATCH('/api/integration/clients/{id}', { params: path(client), body })),
    changes: [CLIENTS],
    quiet: true,
    then: close,
  });
  return (
    <FormDialog
      open={client !== null}
      title={say('edit')}
      ok={sayCommon('save')}
      initial={{ name: client?.name ?? '', scopes: knownScopes(client?.scopes ?? []) }}
      act={act}
      close={close}
    >
      <NameField />
      {can('consumers.manage') && <ScopesField />}
    </FormDialog>
  );
}

export function RotateClient({ client, close, show }: Asked & { show: Show }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: (body: { overlap_hours: number }) =>
      answerOf(api.POST('/api/integration/clients/{id}/rotate', { params: path(client), body })),
    changes: [CLIENTS],
    quiet: true,
    done: () => say('rotated'),
    then: (made) => {
      close();
      show(secretOf(made, say));
    },
  });
  return (
    <FormDialog
      open={client !== null}
      title={`${sayCommon('rotate')}: ${client?.name ?? ''}`}
      ok={sayCommon('rotate')}
      act={act}
      close={close}
    >
      <Typography.Paragraph>{say('rotateWhy')}</Typography.Paragraph>
      <OverlapField />
    </FormDialog>
  );
}

export function DisableClient({ client, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: () =>
      answerOf(
        api.PATCH('/api/integration/clients/{id}', { params: path(client), body: { status: 'disabled' } }),
      ),
    changes: [CLIENTS],
    quiet: true,
    done: () => say('disabledDone'),
    then: close,
  });
  return (
    <WarnedDialog
      open={client !== null}
      title={say('disable', { name: client?.name ?? '' })}
      ok={sayCommon('disable')}
      why={say('disableWhy')}
      act={act}
      close={close}
    />
  );
}

export function RemoveClient({ client, close }: Asked) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const act = useAct({
    act: () => answerOf(api.DELETE('/api/integration/clients/{id}', { params: path(client) })),
    changes: [CLIENTS],
    quiet: true,
    done: () => say('removed'),
    then: close,
  });
  return (
    <WarnedDialog
      open={client !== null}
      title={say('remove', { name: client?.name ?? '' })}
      ok={sayCommon('remove')}
      why={say('removeWhy')}
      act={act}
      close={close}
    />
  );
}
