import {
  ControlOutlined,
  PlusOutlined,
  QuestionCircleOutlined,
  ReloadOutlined,
  TagsOutlined,
} from '@ant-design/icons';
import { Alert, Button, Flex, Input, Select } from 'antd';
import { useMemo, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { useAct } from '../../page/act.ts';
import { LinkButton } from '../../page/link-button.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { TenantChoice } from '../report/tenant.tsx';
import { useColumns } from './columns.tsx';
import { ExplainEvent } from './explain.tsx';
import { ruleFilters, ruleKinds } from './filters.ts';
import { keyOf, type Rule, useHits, useLoaded, useRules } from './queries.ts';
import { RegisterRule } from './register.tsx';
import { RuleDrawer } from './rule.tsx';
import { ThresholdDrawer } from './threshold/drawer.tsx';
import { words } from './words.ts';

interface Acts {
  answered: Parameters<typeof useColumns>[0];
  open: (rule: Rule) => void;
}

const Rules = defineList<Rule, Acts>({
  keyOf,
  useColumns: ({ answered, open }) => useColumns(answered, open),
  head: 'name',
  useOpen: ({ open }) => open,
});

/** What would happen to an event, and why? */
export function RuleList() {
  const say = useWords(words);
  const { can } = useSession();
  const { filters, change, clearOf } = useFilters(ruleFilters);
  const { q, kind, tenant } = filters;
  const rules = useRules(kind, tenant);
  const loaded = useLoaded();
  const hits = useHits(tenant, can('events.view'));
  const [dialog, open] = useState<Dialog | null>(null);
  const shown = useMemo(() => inOrder(rules.rows, q), [rules.rows, q]);
  const chosen = rules.rows.find((rule) => keyOf(rule) === filters.rule);
  return (
    <Page
      title={say('title')}
      under={<Under loadedAt={loaded.data?.reloadedAt ?? null} />}
      actions={<Actions open={open} />}
    >
      {loaded.data?.lastError && (
        <Alert type="warning" showIcon title={say('loadError', { error: loaded.data.lastError })} />
      )}
      <RuleFilters />
      <Rules
        list={{ ...rules, rows: shown }}
        acts={{
          answered: { loaded: loaded.data, hits: hits.data },
          open: (rule) => change({ rule: keyOf(rule) }, { push: true }),
        }}
        none={say('none')}
        clear={clearOf('q', 'kind', 'tenant')}
      />
      {chosen && <RuleDrawer rule={chosen} close={() => change({ rule: undefined })} />}
      {dialog === 'register' && <RegisterRule close={() => open(null)} />}
      {dialog === 'explain' && <ExplainEvent close={() => open(null)} />}
      {dialog === 'thresholds' && (
        <ThresholdDrawer
          tenants={[...new Set([...(tenant ? [tenant] : []), ...rules.rows.map((rule) => rule.tenantCode)])]}
          close={() => open(null)}
        />
      )}
    </Page>
  );
}

type Dialog = 'register' | 'explain' | 'thresholds';

function Under({ loadedAt }: { loadedAt: string | null }) {
  const say = useWords(words);
  return (
    <>
      {say('under')}
      {loadedAt !== null && (
        <>
          {' '}
          · {say('loaded')} <Time at={loadedAt} ago />
        </>
      )}
    </>
  );
}

function Actions({ open }: { open: (dialog: Dialog) => void }) {
  const say = useWords(words);
  const { can } = useSession();
  const reload = useAct({
    act: () => answerOf(api.POST('/api/agent/rules/reload')),
    changes: [['rules']],
    done: ({ changed }) => say(changed ? 'reloaded' : 'reloadedSame'),
  });
  return (
    <>
      <Button icon={<ReloadOutlined />} loading={reload.pending} onClick={() => reload.run(undefined)}>
        {say('reload')}
      </Button>
      <LinkButton to="/rules/types" icon={<TagsOutlined />}>
        {say('types')}
      </LinkButton>
      <Button icon={<ControlOutlined />} onClick={() => open('thresholds')}>
        {say('thresholds')}
      </Button>
      {can('events.view') && (
        <Button icon={<QuestionCircleOutlined />} onClick={() => open('explain')}>
          {say('explain')}
        </Button>
      )}
      {can('rules.manage') && (
        <Button type="primary" icon={<PlusOutlined />} onClick={() => open('register')}>
          {say('register')}
        </Button>
      )}
    </>
  );
}

function RuleFilters() {
  const say = useWords(words);
  const { filters, change } = useFilters(ruleFilters);
  return (
    <Flex gap="small" wrap>
      <Input.Search
        key={`q${filters.q}`}
        className="filter-text"
        placeholder={say('find')}
        aria-label={say('find')}
        defaultValue={filters.q}
        allowClear
        onSearch={(q) => change({ q: q.trim() === '' ? undefined : q.trim() })}
      />
      <Select
        className="filter-choice"
        placeholder={say('kind')}
        aria-label={say('kind')}
        allowClear
        value={filters.kind}
        options={ruleKinds.map((value) => ({ value, label: say(value) }))}
        onChange={(kind?: Rule['kind']) => change({ kind })}
      />
      <TenantChoice value={filters.tenant} change={(tenant) => change({ tenant })} />
    </Flex>
  );
}

const priorityOf = ({ body }: Rule): number => (typeof body.priority === 'number' ? body.priority : Infinity);

/** As the agent asks them: by tenant, and the lowest priority first. */
function inOrder(rules: readonly Rule[], q: string | undefined): Rule[] {
  const wanted = q?.toLowerCase();
  return rules
    .filter(({ name }) => wanted === undefined || name.toLowerCase().includes(wanted))
    .toSorted((a, b) => a.tenantCode.localeCompare(b.tenantCode) || priorityOf(a) - priorityOf(b));
}
