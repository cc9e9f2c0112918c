import { BgColorsOutlined, ClockCircleOutlined, GlobalOutlined, UserOutlined } from '@ant-design/icons';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { App, Button, Dropdown, Flex } from 'antd';
import type { ReactNode } from 'react';
import { looks, useLook } from '../app/theme.tsx';
import { Fault } from '../page/fault.tsx';
import { turnOff } from '../screen/call/device.ts';
import { logOut, useSession } from '../session/session.tsx';
import { useZones } from '../time/time.tsx';
import { zoneChoices } from '../time/zone.ts';
import { languages, type Say } from '../word/catalogue.ts';
import { useLanguage, useWords } from '../word/language.tsx';
import { ring } from './ring.ts';
import { words } from './words.ts';

const LANGUAGE_NAMES = { zh: '中文', en: 'English' } as const;
const ZONE_WORDS = { site: 'zoneSite', mine: 'zoneMine', utc: 'zoneUtc' } as const;
const LOOK_WORDS = { system: 'lookSystem', light: 'lookLight', dark: 'lookDark' } as const;

interface Choice<T extends string> {
  label: string;
  icon: ReactNode;
  /** Beside the icon where there is room. */
  shown?: string;
  choices: readonly T[];
  chosen: T;
  name: (choice: T) => string;
  choose: (choice: T) => void;
}

function Chooser<T extends string>({ label, icon, shown, choices, chosen, name, choose }: Choice<T>) {
  const items = choices.map((one) => ({ key: one, label: name(one), onClick: () => choose(one) }));
  return (
    <Dropdown menu={{ items, selectable: true, selectedKeys: [chosen] }} trigger={['click']}>
      <Button type="text" icon={icon} aria-label={`${label}: ${name(chosen)}`} title={label}>
        {shown}
      </Button>
    </Dropdown>
  );
}

/** @param brief without words beside the icons */
export function ZoneChooser({ brief }: { brief: boolean }) {
  const say = useWords(words);
  const { choice, choose } = useZones();
  const name = (one: typeof choice): string => say(ZONE_WORDS[one]);
  return (
    <Chooser
      label={say('zone')}
      icon={<ClockCircleOutlined />}
      {...(brief ? {} : { shown: name(choice) })}
      choices={zoneChoices}
      chosen={choice}
      name={name}
      choose={choose}
    />
  );
}

export function LanguageChooser({ brief }: { brief: boolean }) {
  const say = useWords(words);
  const { language, change } = useLanguage();
  return (
    <Chooser
      label={say('language')}
      icon={<GlobalOutlined />}
      {...(brief ? {} : { shown: LANGUAGE_NAMES[language] })}
      choices={languages}
      chosen={language}
      name={(one) => LANGUAGE_NAMES[one]}
      choose={change}
    />
  );
}

export function LookChooser() {
  const say = useWords(words);
  const { look, change } = useLook();
  return (
    <Chooser
      label={say('look')}
      icon={<BgColorsOutlined />}
      choices={looks}
      chosen={look}
      name={(one) => say(LOOK_WORDS[one])}
      choose={change}
    />
  );
}

export interface AlertSound {
  /** Whether it sounds when an alert comes. */
  sound: 'on' | 'off';
  change: (sound: 'on' | 'off') => void;
}

function soundItem({ sound, change }: AlertSound, say: Say<typeof words>) {
  const toggle = (): void => {
    // What it sounds like is heard at once.
    if (sound === 'off') ring();
    change(sound === 'on' ? 'off' : 'on');
  };
  return { key: 'sound', label: say(sound === 'on' ? 'soundOn' : 'soundOff'), onClick: toggle };
}

export function UserMenu({ brief, alerts }: { brief: boolean; alerts: AlertSound }) {
  const say = useWords(words);
  const { identity, can } = useSession();
  const { modal } = App.useApp();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const leave = async (): Promise<void> => {
    try {
      // Who leaves is called here no more; without a link at least the browser forgets it.
      await turnOff().catch(() => undefined);
      await logOut(queries, () => navigate({ to: '/login' }));
    } catch (error) {
      modal.error({ title: say('logout'), content: <Fault error={error} /> });
    }
  };
  const whose = identity.tenantCode === null ? say('operator') : say('tenant', { code: identity.tenantCode });
  const items = [
    {
      key: 'who',
      disabled: true,
      label: (
        <Flex vertical>
          <strong>{identity.name}</strong>
          <span>{whose}</span>
        </Flex>
      ),
    },
    { type: 'divider' as const },
    { key: 'calls', label: say('calls'), onClick: () => void navigate({ to: '/calls' }) },
    { key: 'account', label: say('account'), onClick: () => void navigate({ to: '/account' }) },
    ...(can('events.view') ? [soundItem(alerts, say)] : []),
    { key: 'logout', label: say('logout'), onClick: () => void leave() },
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button type="text" icon={<UserOutlined />} aria-label={identity.name} className="user">
        {!brief && <span className="cut">{identity.name}</span>}
      </Button>
    </Dropdown>
  );
}
