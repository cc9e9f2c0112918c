import { MoreOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import type { Webhook } from './queries.ts';
import { words } from './words.ts';

export type Question = 'edit' | 'rotate' | 'recover' | 'disable' | 'enable' | 'remove' | 'test';
/** Opens what is asked before it is done. */
export type Ask = (question: Question, webhook: Webhook) => void;

/** What can be done with a webhook, for whom may. */
export function WebhookActions({ webhook, ask }: { webhook: Webhook; ask: Ask }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const enabled = webhook.status === 'enabled';
  return (
    <>
      {enabled && (
        <Button size="small" onClick={() => ask('test', webhook)}>
          {say('test')}
        </Button>
      )}
      <Dropdown
        trigger={['click']}
        menu={{
          onClick: ({ key }) => ask(key as Question, webhook),
          items: [
            { key: 'edit', label: sayCommon('edit') },
            ...(enabled ? [{ key: 'recover', label: say('recover') }] : []),
            { key: 'rotate', label: sayCommon('rotate') },
            enabled
              ? { key: 'disable', label: sayCommon('disable') }
              : { key: 'enable', label: sayCommon('enable') },
            { type: 'divider' },
            { key: 'remove', label: sayCommon('remove'), danger: true },
          ],
        }}
      >
        <Button size="small" icon={<MoreOutlined />} aria-label={`${sayCommon('more')}: ${webhook.name}`} />
      </Dropdown>
    </>
  );
}
