import { useNavigate } from '@tanstack/react-router';
import { Alert, Flex, Select, Tabs } from 'antd';
import type { ReactNode } from 'react';
import { useFilters } from '../../list/filter.ts';
import { AsOf } from '../../page/fault.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { useEyes, useTenants } from './eyes.ts';
import { eyesFilters } from './filters.ts';
import { words } from './words.ts';

const TABS = {
  search: { to: '/library', word: 'tabSearch' },
  files: { to: '/library/files', word: 'tabFiles' },
  review: { to: '/library/review', word: 'tabReview' },
  answers: { to: '/library/answers', word: 'tabAnswers' },
  synonyms: { to: '/library/synonyms', word: 'tabSynonyms' },
  questions: { to: '/library/questions', word: 'tabQuestions' },
} as const;
type Tab = keyof typeof TABS;
/** For whoever may manage policies. */
const KEEPERS: ReadonlySet<Tab> = new Set(['review', 'questions']);

/** What stands around every page of the library. @param byLevel whether it can be read at every level */
export function LibraryFrame({
  tab,
  actions,
  byLevel = true,
  children,
}: {
  tab: Tab;
  actions?: ReactNode;
  byLevel?: boolean;
  children: ReactNode;
}) {
  const say = useWords(words);
  const { can } = useSession();
  const navigate = useNavigate();
  const { filters } = useFilters(eyesFilters);
  const tenants = useTenants();
  const shown = (Object.keys(TABS) as Tab[]).filter((one) => !KEEPERS.has(one) || can('policy.manage'));
  return (
    <Page title={say('title')} under={say('under')} actions={actions}>
      <Tabs
        activeKey={tab}
        onChange={(one) => void navigate({ to: TABS[one as Tab].to, search: filters })}
        items={shown.map((one) => ({ key: one, label: say(TABS[one].word) }))}
        tabBarStyle={{ marginBottom: 0 }}
      />
      <AsOf query={tenants} />
      {tenants.data?.length === 0 ? (
        <Alert type="info" showIcon title={say('noTenant')} />
      ) : (
        <>
          <EyesChoice byLevel={byLevel} />
          {children}
        </>
      )}
    </Page>
  );
}

/** For headquarters: whose library, and with whose clearance. */
function EyesChoice({ byLevel }: { byLevel: boolean }) {
  const say = useWords(words);
  const { identity } = useSession();
  const tenants = useTenants().data ?? [];
  const { change } = useFilters(eyesFilters);
  const eyes = useEyes();
  if (identity.tenantCode !== null || !eyes) return null;
  return (
    <Flex gap="small" wrap align="center">
      {tenants.length > 1 && (
        <Select
          className="filter-choice"
          aria-label={say('tenant')}
          prefix={<span className="quiet">{say('tenant')}</span>}
          value={eyes.tenant}
          options={tenants.map((value) => ({ value, label: value }))}
          onChange={(tenant) => change({ tenant })}
        />
      )}
      {byLevel && (
        <Select
          className="filter-wide"
          aria-label={say('eyes')}
          value={eyes.all ? 'all' : 'mine'}
          options={[
            { value: 'mine', label: say('eyesMine') },
            { value: 'all', label: say('eyesAll') },
          ]}
          onChange={(one) => change({ all: one === 'all' ? '1' : undefined })}
        />
      )}
    </Flex>
  );
}
