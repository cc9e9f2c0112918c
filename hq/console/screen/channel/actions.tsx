import { MoreOutlined } from '@ant-design/icons';
import { App, Button, Dropdown, Flex } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useLanguage, useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import { type Channel, CHANNELS } from './queries.ts';
import { words } from './words.ts';

/** What can be done with a channel; what takes something away is asked about first. */
export function ChannelActions({ channel, edit }: { channel: Channel; edit: (channel: Channel) => void }) {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const { modal } = App.useApp();
  const { test, turn, remove } = useChannelActs(channel);
  const { name, enabled } = channel;
  const sure = (title: string, content: string, okText: string, onOk: () => void): void =>
    void modal.confirm({
      title,
      content,
      okText,
      okButtonProps: { danger: true },
      cancelText: sayCommon('cancel'),
      onOk,
    });
  const acts: Record<string, () => void> = {
    edit: () => edit(channel),
    enable: () => turn.run(true),
    disable: () =>
      sure(say('disableSure', { name }), say('disableWhy'), sayCommon('disable'), () => turn.run(false)),
    remove: () =>
      sure(say('removeSure', { name }), say('removeWhy'), sayCommon('remove'), () => remove.run(undefined)),
  };
  return (
    <Flex gap={4}>
      <Button size="small" loading={test.pending} onClick={() => test.run(undefined)}>
        {say('test')}
      </Button>
      <Dropdown
        trigger={['click']}
        menu={{
          onClick: ({ key }) => acts[key]?.(),
          items: [
            { key: 'edit', label: sayCommon('edit') },
            enabled
              ? { key: 'disable', label: sayCommon('disable') }
              : { key: 'enable', label: sayCommon('enable') },
            { type: 'divider' },
            { key: 'remove', label: sayCommon('remove'), danger: true },
          ],
        }}
      >
        <Button size="small" icon={<MoreOutlined />} aria-label={`${sayCommon('more')}: ${name}`} />
      </Dropdown>
    </Flex>
  );
}

function useChannelActs({ id, name }: Channel) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { message, notification } = App.useApp();
  const params = { path: { id } };
  const test = useAct({
    act: () => answerOf(api.POST('/api/agent/channels/{id}/test', { params })),
    changes: [],
    done: () => null,
    then: ({ taken, error, errorZh }) => {
      if (taken) message.success(say('testTaken', { name }));
      else
        notification.error({
          title: say('testFailed', { name }),
          description: language === 'zh' ? (errorZh ?? error) : error,
          duration: 0,
        });
    },
  });
  const turn = useAct({
    act: (enabled: boolean) => answerOf(api.PATCH('/api/agent/channels/{id}', { params, body: { enabled } })),
    changes: [CHANNELS],
    done: () => say('saved'),
  });
  const remove = useAct({
    act: () => answerOf(api.DELETE('/api/agent/channels/{id}', { params })),
    changes: [CHANNELS],
  });
  return { test, turn, remove };
}
