import { CheckCircleFilled, PauseCircleOutlined, WarningFilled } from '@ant-design/icons';
import { Tag, type TableColumnsType } from 'antd';
import { useMemo } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { Rule, useLoaded } from './queries.ts';
import { words } from './words.ts';

type Loaded = ReturnType<typeof useLoaded>['data'];

export function useColumns(loaded: Loaded, open: (rule: Rule) => void): TableColumnsType<Rule> {
  const say = useWords(words);
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
        render: (_, rule) => (
          <a
            className="library-cut"
            role="button"
            tabIndex={0}
            title={rule.name}
            onClick={() => open(rule)}
            onKeyDown={({ key }) => key === 'Enter' && open(rule)}
          >
            {rule.name}
          </a>
        ),
      },
      { key: 'kind', title: say('kind'), render: (_, { kind }) => say(kind) },
      { key: 'tenant', title: say('tenant'), dataIndex: 'tenantCode' },
      { key: 'match', title: say('match'), render: (_, rule) => <Matches rule={rule} /> },
      { key: 'action', title: say('action'), render: (_, rule) => <Does rule={rule} /> },
      { key: 'state', title: say('state'), render: (_, rule) => <RuleState rule={rule} loaded={loaded} /> },
      { key: 'version', title: say('version'), dataIndex: 'version', align: 'end' },
      { key: 'source', title: say('source'), render: () => say('fromHeadquarters') },
      { key: 'registered', title: say('registered'), render: (_, { createdAt }) => <Time at={createdAt} /> },
    ],
    // What opens a row is made anew each time and does the same.
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [say, loaded],
  );
}

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(', ') : typeof value === 'string' ? value : '';

function Matches({ rule: { kind, body } }: { rule: Rule }) {
  const say = useWords(words);
  if (kind !== 'response') return null;
  const match = recordOf(body.match);
  const hours = Array.isArray(match.hours) ? `${match.hours.map(String).join('–')} h` : '';
  const parts = [
    textOf(match.event_types),
    textOf(match.min_severity) && `≥ ${textOf(match.min_severity)}`,
    hours,
    textOf(match.site_refs),
    textOf(match.camera_refs),
  ].filter((part) => part !== '');
  const text = parts.length === 0 ? say('everything') : parts.join(' · ');
  return (
    <span className="library-cut" title={text}>
      {text}
    </span>
  );
}

const ACTIONS = { notify: 'notify', dispatch: 'dispatch', review: 'reviewAction' } as const;

function Does({ rule: { kind, body } }: { rule: Rule }) {
  const say = useWords(words);
  if (kind !== 'response') return null;
  const action = recordOf(body.action);
  const word = ACTIONS[textOf(action.kind) as keyof typeof ACTIONS] ?? 'reviewAction';
  return [say(word), textOf(action.channels)].filter((part) => part !== '').join(' · ');
}

function RuleState({ rule, loaded }: { rule: Rule; loaded: Loaded }) {
  const say = useWords(words);
  const same = (one: { tenantCode: string | null; name: string }): boolean =>
    one.tenantCode === rule.tenantCode && one.name === rule.name;
  const bad = loaded?.badRules.find((one) => same(one) && one.kind === rule.kind);
  const hidden = rule.kind === 'response' ? loaded?.shadowed.find(same) : undefined;
  if (bad)
    return (
      <Tag color="error" icon={<WarningFilled />} title={bad.why.join('; ')}>
        {say('bad')}
      </Tag>
    );
  if (rule.body.enabled === false) return <Tag icon={<PauseCircleOutlined />}>{say('off')}</Tag>;
  if (hidden)
    return (
      <Tag color="warning" icon={<WarningFilled />}>
        {say('hidden', { by: hidden.by.name })}
      </Tag>
    );
  return (
    <Tag color="success" icon={<CheckCircleFilled />}>
      {say('inForce')}
    </Tag>
  );
}
