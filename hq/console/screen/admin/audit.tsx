import { Checkbox, Flex, Input, type TableColumnsType } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { defineList } from '../../list/define.tsx';
import { useFilters } from '../../list/filter.ts';
import { useGrowing } from '../../list/growing.ts';
import { Period } from '../../list/period.tsx';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { actionWords, isKnownAction } from './action-words.ts';
import { adminFilters } from './filters.ts';
import type { AuditEntry } from './queries.ts';
import { words } from './words.ts';

/** What programs do with each picture, among which the acts of people are hard to find. */
const FLOOD = ['evidence.stored', 'evidence.requested'] as const;

const AuditList = defineList<AuditEntry>({ keyOf: ({ id }) => id, useColumns });

/** Who did what? Newest first. */
export function Audit() {
  const say = useWords(words);
  const { filters, clearOf } = useFilters(adminFilters);
  const { actor, action, subject, tenant, since, until, evidence } = filters;
  const list = useGrowing<AuditEntry>({
    key: ['audit', { actor, action, subject, tenant, since, until, evidence }],
    fetch: (cursor) => {
      const without = evidence && FLOOD.join(',');
      const asked = { actor, action, subject, without, tenant_code: tenant, since, until };
      const given = Object.entries(asked).filter(([, value]) => value);
      const query = { ...Object.fromEntries(given), ...(cursor === null ? {} : { cursor: String(cursor) }) };
      return answerOf(api.GET('/api/core/audit', { params: { query } }));
    },
    idOf: ({ id }) => id,
  });
  return (
    <Flex vertical gap="middle">
      <AuditFilters />
      <AuditList
        list={list}
        none={say('noAudit')}
        clear={clearOf('actor', 'action', 'subject', 'tenant', 'since', 'until', 'evidence')}
        more={{ expandable: { expandedRowRender: (entry) => <Difference entry={entry} /> } }}
      />
    </Flex>
  );
}

function useColumns(): TableColumnsType<AuditEntry> {
  const say = useWords(words);
  const actorText = useActorText();
  return [
    { key: 'at', title: say('at'), render: (_, { at }) => <Time at={at} /> },
    {
      key: 'actor',
      title: say('actor'),
      render: (_, { actor: who }) => <bdi className="said-short">{actorText(who)}</bdi>,
    },
    { key: 'action', title: say('action'), render: (_, { action }) => <Action action={action} /> },
    {
      key: 'subject',
      title: say('subject'),
      render: (_, one) => <code className="said-short">{one.subject}</code>,
    },
    { key: 'tenant', title: say('tenant'), render: (_, { tenantCode }) => tenantCode },
  ];
}

function AuditFilters() {
  const say = useWords(words);
  const { identity } = useSession();
  const { filters, change } = useFilters(adminFilters);
  const names = (['actor', 'action', 'subject', 'tenant'] as const).filter(
    (name) => name !== 'tenant' || identity.tenantCode === null,
  );
  return (
    <Flex gap="small" wrap align="center">
      {names.map((name) => (
        <Input.Search
          key={`${name} ${filters[name]}`}
          className="filter-text"
          placeholder={say(name)}
          aria-label={say(name)}
          defaultValue={filters[name]}
          allowClear
          onSearch={(value) => change({ [name]: value === '' ? undefined : value })}
        />
      ))}
      <Period span={filters} change={change} label={say('at')} />
      <Checkbox
        checked={filters.evidence === 'hidden'}
        onChange={({ target }) => change({ evidence: target.checked ? 'hidden' : undefined })}
      >
        {say('withoutEvidence')}
      </Checkbox>
    </Flex>
  );
}

/** In words where there are some, with the name that the filter takes. */
function Action({ action }: { action: string }) {
  const say = useWords(actionWords);
  if (!isKnownAction(action)) return <code>{action}</code>;
  return (
    <Flex vertical>
      {say(action)}
      <code className="quiet">{action}</code>
    </Flex>
  );
}

function Difference({ entry: { before, after } }: { entry: AuditEntry }) {
  const say = useWords(words);
  return (
    <Flex gap="large" wrap>
      {[['before', before] as const, ['after', after] as const].map(([name, value]) => (
        <div key={name}>
          <strong>{say(name)}</strong>
          <pre className="raw">
            {value === null || value === undefined ? '–' : JSON.stringify(value, null, 2)}
          </pre>
        </div>
      ))}
    </Flex>
  );
}

/** Who did it, in words: the audit writes `user:li.chief from 127.0.0.1`. */
function useActorText(): (actor: string) => string {
  const say = useWords(words);
  const siteName = useSiteName();
  return (actor) => {
    const [, who = actor, from] = /^(.+?) from (.+)$/.exec(actor) ?? [];
    const [, kind, name = ''] = /^(user|site):(.+)$/.exec(who) ?? [];
    const named =
      kind === undefined
        ? who
        : kind === 'user'
          ? say('actorUser', { name })
          : say('actorSite', { name: siteName(name) });
    if (from === undefined) return named;
    return say('actorFrom', { who: named, from: from === 'local socket' ? say('localSocket') : from });
  };
}
