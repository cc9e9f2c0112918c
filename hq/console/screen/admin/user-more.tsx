import { MoreOutlined } from '@ant-design/icons';
import { App, Button, Dropdown } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import type { User } from './queries.ts';
import { useUserChange } from './user-change.tsx';
import { words } from './words.ts';

/** What is done to a user more rarely; each is asked for once more. */
export function UserMore({ user }: { user: User }) {
  const say = useWords(words);
  const { modal } = App.useApp();
  const { name, secondFactorSince, emergency, ofProvider } = user;
  const changing = useUserChange();
  const ending = useAct({
    act: () => answerOf(api.DELETE('/api/core/sessions', { params: { query: { user: name } } })),
    changes: [['sessions']],
    done: ({ ended: count }) => say('endedAll', { name, count }),
  });
  const resetting = useAct({
    act: () =>
      answerOf(api.POST('/api/core/users/{name}/second_factor/reset', { params: { path: { name } } })),
    changes: [['users'], ['sessions']],
    done: () => say('factorReset', { name }),
  });
  const ask = (title: string, okText: string, act: () => void): void =>
    void modal.confirm({ title, okText, cancelText: say('cancel'), onOk: act });
  const items = [
    {
      key: 'sessions',
      label: say('endAll'),
      onClick: () => ask(say('endAllSure', { name }), say('end'), () => ending.run(undefined)),
    },
    ...(secondFactorSince === null
      ? []
      : [
          {
            key: 'factor',
            label: say('resetFactor'),
            onClick: () =>
              ask(say('resetFactorSure', { name }), say('reset'), () => resetting.run(undefined)),
          },
        ]),
    ...(ofProvider
      ? []
      : [
          {
            key: 'emergency',
            label: say(emergency ? 'endEmergency' : 'makeEmergency'),
            onClick: () =>
              ask(say(emergency ? 'endEmergencySure' : 'makeEmergencySure', { name }), say('save'), () =>
                changing.run({ name, body: { emergency: !emergency } }),
              ),
          },
        ]),
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button
        size="small"
        icon={<MoreOutlined />}
        aria-label={say('moreOf', { name })}
        loading={ending.pending || resetting.pending || changing.pending}
      />
    </Dropdown>
  );
}
