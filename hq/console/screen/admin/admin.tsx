import { useNavigate } from '@tanstack/react-router';
import { Tabs } from 'antd';
import type { ComponentType } from 'react';
import { useFilters } from '../../list/filter.ts';
import { Page } from '../../page/page.tsx';
import { type Permission, useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { AlarmList } from '../alarm/list.tsx';
import { ChannelList } from '../channel/list.tsx';
import { ClearanceList } from '../clearance/list.tsx';
import { PermissionList } from '../permission/list.tsx';
import { RetentionTab } from '../retention/tab.tsx';
import { SecretList } from '../secret/list.tsx';
import { Audit } from './audit.tsx';
import { adminFilters, type AdminTab } from './filters.ts';
import { Sessions } from './sessions.tsx';
import { Users } from './users.tsx';
import { tabWords, words } from './words.ts';

const tabs: readonly { key: AdminTab; needs: Permission; shows: ComponentType }[] = [
  { key: 'users', needs: 'users.manage', shows: Users },
  { key: 'permissions', needs: 'users.manage', shows: PermissionList },
  { key: 'clearance', needs: 'policy.manage', shows: ClearanceList },
  { key: 'sessions', needs: 'users.manage', shows: Sessions },
  { key: 'channels', needs: 'channels.manage', shows: ChannelList },
  { key: 'secrets', needs: 'secrets.manage', shows: SecretList },
  { key: 'alarms', needs: 'events.view', shows: AlarmList },
  { key: 'audit', needs: 'audit.view', shows: Audit },
  { key: 'retention', needs: 'operation.view', shows: RetentionTab },
];

/** Who may do what, who did it, and what does the system need of a person? */
export function Admin() {
  const say = useWords(words);
  const ask = useWords(tabWords);
  const { can } = useSession();
  const navigate = useNavigate();
  const { filters } = useFilters(adminFilters);
  const shown = tabs.filter(({ needs }) => can(needs));
  const active = shown.find(({ key }) => key === filters.tab) ?? shown[0];
  return (
    <Page title={say('title')} under={active && ask(active.key)}>
      <Tabs
        activeKey={active?.key ?? ''}
        // The filters of one tab mean nothing in another.
        onChange={(key) =>
          void navigate({ to: '/admin', search: { tab: shown.find((one) => one.key === key)?.key } })
        }
        destroyOnHidden
        items={shown.map(({ key, shows: Shows }) => ({ key, label: say(key), children: <Shows /> }))}
      />
    </Page>
  );
}
