import { CheckCircleFilled, PauseCircleOutlined, WarningFilled } from '@ant-design/icons';
import { type TableColumnsType, Tag, Tooltip } from 'antd';
import { useMemo } from 'react';
import { useSession } from '../../session/session.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { useDescribed } from './described.ts';
import { hitsKey, type Rule, type useHits, type useLoaded } from './queries.ts';
import { words } from './words.ts';

type Loaded = ReturnType<typeof useLoaded>['data'];
type Hits = ReturnType<typeof useHits>['data'];

export function useColumns(
  { loaded, hits }: { loaded: Loaded; hits: Hits },
  open: (rule: Rule) => void,
): TableColumnsType<Rule> {
  const say = useWords(words);
  const { identity } = useSession();
  return useMemo(
    () => [
      {
        key: 'priority',
        title: say('priority'),
        align: 'end',
        render: (_, { body }) => (typeof body.priority === 'number' ? body.priority : ''),
      },
      {
        key: 'name',
        title: say('name'),
        render: (_, rule) => <Named rule={rule} open={() => open(rule)} />,
      },
      ...(identity.tenantCode === null
        ? [{ key: 'tenant', title: say('tenant'), dataIndex: 'tenantCode', className: 'name' }]
        : []),
      { key: 'match', title: say('match'), render: (_, rule) => <Described rule={rule} what="match" /> },
      { key: 'action', title: say('action'), render: (_, rule) => <Described rule={rule} what="action" /> },
      {
        key: 'state',
        title: `${say('state')} · ${say('fault')}`,
        render: (_, rule) => (
          <>
            <RuleState rule={rule} loaded={loaded} />
            <FaultOf rule={rule} loaded={loaded} />
          </>
        ),
      },
      ...(hits
        ? [
            {
              key: 'hits',
              title: <HitsTitle hits={hits} />,
              align: 'end' as const,
              render: (_: unknown, rule: Rule) => <HitsOf rule={rule} hits={hits} />,
            },
          ]
        : []),
      {
        key: 'version',
        title: say('version'),
        render: (_, { version, createdAt }) => (
          <>
            {version}
            <div className="quiet">
              <Time at={createdAt} />
            </div>
          </>
        ),
      },
      { key: 'source', title: say('source'), render: (_, rule) => <Source rule={rule} loaded={loaded} /> },
    ],
    // What opens a row is made anew each time and does the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [say, loaded, hits, identity],
  );
}

function Named({ rule, open }: { rule: Rule; open: () => void }) {
  const say = useWords(words);
  return (
    <>
      <a
        className="library-cut"
        role="button"
        tabIndex={0}
        title={rule.name}
        onClick={open}
        onKeyDown={({ key }) => key === 'Enter' && open()}
      >
        {rule.name}
      </a>
      {rule.kind !== 'response' && <div className="quiet">{say(rule.kind)}</div>}
    </>
  );
}

function Described({ rule, what }: { rule: Rule; what: 'match' | 'action' }) {
  const text = useDescribed(rule)[what];
  return (
    <span className={what === 'match' ? 'library-cut' : 'said-short'} title={text}>
      {text}
    </span>
  );
}

function Source({ rule, loaded }: { rule: Rule; loaded: Loaded }) {
  const say = useWords(words);
  return (
    <>
      {say(loaded?.ruleSource[rule.kind].source ?? 'core')}
      <div className="quiet library-cut-short" title={rule.by}>
        {rule.by}
      </div>
    </>
  );
}

function HitsTitle({ hits: { complete, events } }: { hits: NonNullable<Hits> }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const part = complete ? '' : ` ${say('hitsPart', { events: number(events, language) })}`;
  return (
    <Tooltip title={`${say('hitsAbout')}${part}`}>
      <span>
        {say('hits')}
        {!complete && ' *'}
      </span>
    </Tooltip>
  );
}

function HitsOf({ rule, hits }: { rule: Rule; hits: NonNullable<Hits> }) {
  const { language } = useLanguage();
  if (rule.kind !== 'response') return null;
  return <span className="number">{number(hits.of.get(hitsKey(rule)) ?? 0, language)}</span>;
}

const badOf = (rule: Rule, loaded: Loaded) =>
  loaded?.badRules.find(
    ({ tenantCode, kind, name }) =>
      tenantCode === rule.tenantCode && kind === rule.kind && name === rule.name,
  );
const hiddenOf = (rule: Rule, loaded: Loaded) =>
  rule.kind === 'response'
    ? loaded?.shadowed.find(({ tenantCode, name }) => tenantCode === rule.tenantCode && name === rule.name)
    : undefined;

function RuleState({ rule, loaded }: { rule: Rule; loaded: Loaded }) {
  const say = useWords(words);
  if (badOf(rule, loaded))
    return (
      <Tag color="error" icon={<WarningFilled />}>
        {say('bad')}
      </Tag>
    );
  if (rule.body.enabled === false) return <Tag icon={<PauseCircleOutlined />}>{say('off')}</Tag>;
  return (
    <Tag color="success" icon={<CheckCircleFilled />}>
      {say('inForce')}
    </Tag>
  );
}

function FaultOf({ rule, loaded }: { rule: Rule; loaded: Loaded }) {
  const say = useWords(words);
  const bad = badOf(rule, loaded);
  const hidden = hiddenOf(rule, loaded);
  if (bad)
    return (
      <div className="said fault-text">
        {bad.why.map((why) => (
          <div key={why}>{why}</div>
        ))}
      </div>
    );
  if (!hidden) return null;
  return (
    <div className="said">
      <WarningFilled /> {say('hidden', { by: hidden.by.name })}
    </div>
  );
}
