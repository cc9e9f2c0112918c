import { Alert, AutoComplete, Flex, Form, Input, Modal, Select, Tabs } from 'antd';
import { type ReactNode, useDeferredValue } from 'react';
import { Refused } from '../../api/fault.ts';
import { Fault } from '../../page/fault.tsx';
import { Overtaken } from '../../page/overtaken.tsx';
import { type ToldFault, toldIn } from '../../page/refusal.ts';
import { useSession } from '../../session/session.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { NewTenant } from '../integration/tenant-field.tsx';
import { useKnownTenants } from '../report/tenant.tsx';
import { useCheck } from './check.ts';
import { type Beginning, type Draft, samples, textOf, THRESHOLDS } from './draft.ts';
import { ruleKinds } from './filters.ts';
import { formWords } from './form-words.ts';
import { isAt, WritingContext } from './member.tsx';
import type { Rule } from './queries.ts';
import { useRegistering } from './registering.ts';
import { RehearsalPanel } from './rehearsal.tsx';
import { ResponseForm } from './response-form.tsx';
import { BodySource } from './source.tsx';
import { ThresholdForm } from './threshold/form.tsx';
import { useDraft } from './use-draft.ts';
import { words } from './words.ts';

/**
 * Registers a rule, which the hub checks as one types.
 * @param of what gets a new version; absent: a new rule
 */
export function RegisterRule({ of, close }: { of?: Beginning; close: () => void }) {
  const say = useWords(words);
  const draft = useDraft(of);
  // A form that nobody has filled in is not wrong yet.
  const named = draft.head.name.trim() !== '' && draft.head.tenant.trim() !== '';
  const check = useCheck(useDeferredValue(JSON.stringify(named ? draft.whole : null)));
  const refused = check.error instanceof Refused ? check.error : null;
  const { register, pending, newer, goOn } = useRegistering(draft.whole, of, close);
  return (
    <Modal
      open
      title={say(of ? 'newVersion' : 'register')}
      width={920}
      mask={{ closable: false }}
      onCancel={close}
      cancelText={say('cancel')}
      okText={say('register')}
      okButtonProps={{
        disabled: !check.isSuccess || draft.whole === null || newer !== null,
        loading: pending,
      }}
      onOk={register}
    >
      <Form layout="vertical" component="div">
        <Wrapper draft={draft} fixed={of !== undefined} faults={refused?.faults ?? []} />
        <Ways draft={draft} named={named} faults={refused?.faults ?? []} />
      </Form>
      <Outcome draft={draft.whole} named={named} check={check} />
      {newer && (
        <Overtaken
          title={say('newer', { name: newer.name, version: newer.version, who: newer.by })}
          leave={close}
          goOn={{ word: say('overNewer'), act: goOn }}
        />
      )}
    </Modal>
  );
}

type Drafting = ReturnType<typeof useDraft>;

/** Whose rule it is, of which kind, and its name. */
function Wrapper({
  draft: { head, change },
  fixed,
  faults,
}: {
  draft: Drafting;
  fixed: boolean;
  faults: readonly ToldFault[];
}) {
  const say = useWords(words);
  const { identity } = useSession();
  const known = useKnownTenants();
  return (
    <div className="form-grid ant-form">
      <Named id="kind" label={say('kind')} faults={faults}>
        <Select
          id="rule-kind"
          value={head.kind}
          disabled={fixed}
          options={ruleKinds.map((value) => ({ value, label: say(value) }))}
          onChange={(kind: Rule['kind']) =>
            change({
              kind,
              ...(kind === 'threshold' ? { name: THRESHOLDS } : {}),
              text: textOf(samples[kind]),
            })
          }
        />
      </Named>
      <Named id="name" label={say('name')} faults={faults}>
        <Input
          id="rule-name"
          value={head.name}
          disabled={fixed || head.kind === 'threshold'}
          maxLength={128}
          onChange={({ target }) => change({ name: target.value })}
        />
      </Named>
      {identity.tenantCode === null && (
        <Named id="tenant_code" label={say('tenant')} faults={faults}>
          <AutoComplete
            id="rule-tenant_code"
            value={head.tenant}
            disabled={fixed}
            maxLength={64}
            options={known.map((value) => ({ value }))}
            showSearch={{ filterOption: (typed, option) => option?.value.includes(typed) ?? false }}
            onChange={(tenant: string) => change({ tenant })}
          />
          <NewTenant typed={head.tenant} />
        </Named>
      )}
    </div>
  );
}

function Named({
  id,
  label,
  faults,
  children,
}: {
  id: string;
  label: string;
  faults: readonly ToldFault[];
  children: ReactNode;
}) {
  const { language } = useLanguage();
  const here = faults.filter(({ path }) => isAt(path, id));
  return (
    <Form.Item
      label={label}
      htmlFor={`rule-${id}`}
      {...(here.length > 0 && {
        validateStatus: 'error' as const,
        help: here.map((fault) => <div key={fault.message}>{toldIn(fault, language)}</div>),
      })}
    >
      {children}
    </Form.Item>
  );
}

/** The same rule as a form and as JSON, and what it would have done. */
function Ways({ draft, named, faults }: { draft: Drafting; named: boolean; faults: readonly ToldFault[] }) {
  const say = useWords(formWords);
  const { can } = useSession();
  const { head, body, line, change, whole } = draft;
  const form =
    head.kind === 'response' ? (
      <ResponseForm tenant={head.tenant} />
    ) : head.kind === 'threshold' ? (
      <ThresholdForm tenant={head.tenant} />
    ) : null;
  const writing = {
    body: body ?? {},
    change: (next: object) => change({ text: textOf(next as never) }),
    faults,
  };
  return (
    <Tabs
      key={head.kind}
      items={[
        ...(form === null
          ? []
          : [
              {
                key: 'form',
                label: say('form'),
                children:
                  body === null ? (
                    <Alert type="warning" showIcon title={say('notForm')} />
                  ) : (
                    <WritingContext value={writing}>
                      <div className="form-grid ant-form">{form}</div>
                    </WritingContext>
                  ),
              },
            ]),
        {
          key: 'source',
          label: say('source'),
          children: (
            <BodySource text={head.text} change={(text) => change({ text })} line={line} faults={faults} />
          ),
        },
        ...(can('events.view') && (head.kind === 'response' || head.kind === 'threshold')
          ? [
              {
                key: 'rehearsal',
                label: say('rehearsal'),
                children: <RehearsalPanel draft={faults.length > 0 || !named ? null : whole} />,
              },
            ]
          : []),
      ]}
    />
  );
}

/** Whether the hub would take it as it is now. */
function Outcome({
  draft,
  named,
  check,
}: {
  draft: Draft | null;
  named: boolean;
  check: ReturnType<typeof useCheck>;
}) {
  const say = useWords(words);
  const sayForm = useWords(formWords);
  return (
    <Flex vertical gap="small" role="status">
      {draft === null ? null : !named ? (
        <span className="quiet">{sayForm('nameFirst')}</span>
      ) : check.error ? (
        <Fault error={check.error} />
      ) : check.isSuccess ? (
        <Alert type="success" showIcon title={say('wouldDo')} />
      ) : (
        <span className="quiet">{sayForm('checking')}</span>
      )}
      <span className="quiet">{say('means')}</span>
    </Flex>
  );
}
