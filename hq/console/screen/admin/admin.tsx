import { Tabs } from 'antd';
import type { ComponentType } from 'react';
import { useFilters } from '../../list/filter.ts';
import { Page } from '../../page/page.tsx';
import { useSession, type Permission } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { Audit } from './audit.tsx';
import { adminFilters, type AdminTab } from './filters.ts';
import { Sessions } from './sessions.tsx';
import { Users } from './users.tsx';
import { words } from './words.ts';

const tabs: readonly { key: AdminTab; needs: Permission; shows: ComponentType }[] = [
  { key: 'users', needs: 'users.manage', shows: Users },
  { key: 'sessions', needs: 'users.manage', shows: Sessions },
  { key: 'audit', needs: 'audit.view', shows: Audit },
];

/** Who may do what, and who did what? */
export function Admin() {
  const say = useWords(words);
  const { can } = useSession();
  const { filters, change } = useFilters(adminFilters);
  const shown = tabs.filter(({ needs }) => can(needs));
  const active = shown.find(({ key }) => key === filters.tab) ?? shown[0];
  return (
    <Page title={say('title')} under={say('under')}>
      <Tabs
        activeKey={active?.key ?? ''}
        onChange={(key) => {
          const tab = shown.find((one) => one.key === key)?.key;
          const none = { q: undefined, actor: undefined, action: undefined, subject: undefined };
          change({ ...none, since: undefined, cleared: undefined, tab }, { push: true });
        }}
        destroyOnHidden
        items={shown.map(({ key, shows: Shows }) => ({ key, label: say(key), children: <Shows /> }))}
      />
    </Page>
  );
}
