import { useQuery } from '@tanstack/react-query';
import { Alert, Flex, Form, Input, Modal, Select } from 'antd';
import { useDeferredValue, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { Refused } from '../../api/fault.ts';
import { useAct } from '../../page/act.ts';
import { Fault } from '../../page/fault.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { ruleKinds } from './filters.ts';
import type { Rule } from './queries.ts';
import { words } from './words.ts';

const FIRST = {
  priority: 100,
  match: { event_types: ['vehicle.*'], min_severity: 'high' },
  action: { kind: 'notify', channels: ['inbox'], due_minutes: 30 },
};

/** Registers a rule, which the hub checks as one types. @param rule the one that gets a new version */
export function RegisterRule({ rule, close }: { rule?: Rule; close: () => void }) {
  const say = useWords(words);
  const { identity } = useSession();
  const [kind, setKind] = useState<Rule['kind']>(rule?.kind ?? 'response');
  const [name, setName] = useState(rule?.name ?? '');
  const [tenant, setTenant] = useState(rule?.tenantCode ?? identity.tenantCode ?? '');
  const [text, setText] = useState(JSON.stringify(rule?.body ?? FIRST, null, 2));
  const body = bodyOf(text);
  const draft: RegisterBody | null = body && { tenant_code: tenant.trim(), kind, name: name.trim(), body };
  const check = useCheck(useDeferredValue(JSON.stringify(draft)));
  const act = useAct({
    act: () => answerOf(api.POST('/api/core/objects/rules', { body: draft as RegisterBody })),
    changes: [['rules']],
    done: (made) => say('done', { version: 'version' in made ? made.version : '' }),
    then: close,
  });
  return (
    <Modal
      open
      title={say(rule ? 'newVersion' : 'register')}
      width={720}
      onCancel={close}
      cancelText={say('cancel')}
      okText={say('register')}
      okButtonProps={{ disabled: !check.isSuccess || body === null, loading: act.pending }}
      onOk={() => act.run(undefined)}
    >
      <Form layout="vertical">
        <div className="form-grid ant-form">
          <Form.Item label={say('kind')} htmlFor="rule-kind">
            <Select
              id="rule-kind"
              value={kind}
              disabled={rule !== undefined}
              options={ruleKinds.map((value) => ({ value, label: say(value) }))}
              onChange={(one) => {
                setKind(one);
                if (one === 'threshold') setName('threshold.agent');
              }}
            />
          </Form.Item>
          <Form.Item label={say('name')} htmlFor="rule-name">
            <Input
              id="rule-name"
              value={name}
              disabled={rule !== undefined}
              maxLength={128}
              onChange={({ target }) => setName(target.value)}
            />
          </Form.Item>
          {identity.tenantCode === null && (
            <Form.Item label={say('tenant')} htmlFor="rule-tenant">
              <Input
                id="rule-tenant"
                value={tenant}
                disabled={rule !== undefined}
                onChange={({ target }) => setTenant(target.value)}
              />
            </Form.Item>
          )}
        </div>
        <Form.Item label={say('content')} htmlFor="rule-body">
          <Input.TextArea
            id="rule-body"
            className="rule-body"
            rows={14}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        </Form.Item>
      </Form>
      <Flex vertical gap="small" role="status">
        {kind === 'threshold' && <span className="quiet">{say('ranges')}</span>}
        {body === null ? (
          <Alert type="error" showIcon title={say('notJson')} />
        ) : check.error ? (
          <Fault error={check.error} />
        ) : (
          check.isSuccess && <Alert type="success" showIcon title={say('wouldDo')} />
        )}
        <span className="quiet">{say('means')}</span>
      </Flex>
    </Modal>
  );
}

interface RegisterBody {
  tenant_code: string;
  kind: Rule['kind'];
  name: string;
  body: Record<string, unknown>;
}

function bodyOf(text: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    return null; // it is being written
  }
}

/** Whether the hub would take it; nothing is registered. */
const useCheck = (draft: string) =>
  useQuery({
    queryKey: ['rule-check', draft],
    enabled: draft !== 'null',
    retry: (count, error) => count < 1 && !(error instanceof Refused),
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      // While somebody types, only what stays is asked.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      if (signal.aborted) throw new DOMException('typed on', 'AbortError');
      return answerOf(
        api.POST('/api/core/objects/rules', {
          params: { query: { dry_run: '1' } },
          body: JSON.parse(draft) as RegisterBody,
          signal,
        }),
      );
    },
  });
const PAUSE_MS = 300;
