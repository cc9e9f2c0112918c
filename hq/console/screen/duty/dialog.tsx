import { AutoComplete, Checkbox, Flex, Form, Input, InputNumber, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { ZoneField } from '../../time/quiet-hours.tsx';
import { ownZone } from '../../time/zone.ts';
import { useWords } from '../../word/language.tsx';
import { FormDialog } from '../integration/form-dialog.tsx';
import { useKnownTenants } from '../report/tenant.tsx';
import { useSiteOffers } from '../site/choice.tsx';
import { useSiteGroups } from '../site/group-choice.tsx';
import { bodyOf, fieldsOf, type RotaFields } from './fields.ts';
import { type Rota, ROTAS } from './queries.ts';
import { ExceptionList, FirstWeek, ShiftList } from './rows.tsx';
import { words } from './words.ts';

const MOST_MINUTES = 240;

/** @param rota that is changed; null: a new one */
export function RotaDialog({ rota, close }: { rota: Rota | null; close: () => void }) {
  const say = useWords(words);
  const { identity } = useSession();
  const initial = fieldsOf(rota, identity.tenantCode, ownZone());
  const act = useAct({
    act: (shown: Partial<RotaFields>) => {
      const body = bodyOf({ ...initial, ...shown });
      if (!rota) return answerOf(api.POST('/api/core/duty/rotas', { body }));
      const params = { path: { id: rota.id }, query: { seen_at: rota.updatedAt } };
      return answerOf(api.PUT('/api/core/duty/rotas/{id}', { params, body }));
    },
    changes: [ROTAS],
    quiet: true,
    done: () => say('saved'),
    then: close,
  });
  return (
    <FormDialog<Partial<RotaFields>>
      open
      title={rota ? say('edit', { name: rota.name }) : say('create')}
      ok={say('save')}
      initial={initial}
      act={act}
      close={close}
    >
      <WhoseFields fixed={rota !== null} />
      <WhatFields />
      <ShiftList />
      <FirstWeek />
      <ExceptionList />
      <Form.Item name="enabled" valuePropName="checked">
        <Checkbox>{say('enabled')}</Checkbox>
      </Form.Item>
    </FormDialog>
  );
}

function WhoseFields({ fixed }: { fixed: boolean }) {
  const say = useWords(words);
  const { identity } = useSession();
  const tenants = useKnownTenants();
  const sites = useSiteOffers();
  const operators: boolean | undefined = Form.useWatch('operators');
  const tenant: string | undefined = Form.useWatch('tenant');
  const named: string[] = Form.useWatch('siteGroups') ?? [];
  const groups = useSiteGroups(operators || !tenant ? undefined : tenant);
  const needed = [{ required: true, message: say('needed') }];
  return (
    <>
      <Form.Item name="name" label={say('name')} rules={needed}>
        <Input maxLength={64} />
      </Form.Item>
      {identity.tenantCode === null && (
        <>
          <Form.Item name="operators" valuePropName="checked">
            <Checkbox disabled={fixed}>{say('ofOperators')}</Checkbox>
          </Form.Item>
          {!operators && (
            <Form.Item name="tenant" label={say('tenant')} rules={needed}>
              <AutoComplete
                disabled={fixed}
                options={tenants.map((value) => ({ value }))}
                showSearch
                maxLength={64}
              />
            </Form.Item>
          )}
        </>
      )}
      <Form.Item name="sites" label={say('sites')} extra={say('sitesEmpty')}>
        <Select mode="tags" options={[...sites]} />
      </Form.Item>
      {(groups.length > 0 || named.length > 0) && (
        <Form.Item name="siteGroups" label={say('siteGroups')}>
          <Select
            mode="multiple"
            options={groups.map(({ name, sites: count }) => ({ value: name, label: `${name} (${count})` }))}
          />
        </Form.Item>
      )}
    </>
  );
}

function WhatFields() {
  const say = useWords(words);
  const needed = [{ required: true, message: say('needed') }];
  return (
    <>
      <Flex gap="middle" wrap>
        <Form.Item name="from" label={say('from')}>
          <Select
            style={{ minWidth: 140 }}
            options={(['critical', 'high', 'medium', 'low'] as const).map((value) => ({
              value,
              label: say(value),
            }))}
          />
        </Form.Item>
        <Form.Item name="alarms" label={say('alarms')}>
          <Select
            style={{ minWidth: 140 }}
            options={[
              { value: 'none', label: say('alarmsNone') },
              { value: 'critical', label: say('alarmsCritical') },
              { value: 'warning', label: say('alarmsAll') },
            ]}
          />
        </Form.Item>
        <Form.Item name="nextAfterMinutes" label={say('minutes')} rules={needed}>
          <InputNumber min={1} max={MOST_MINUTES} precision={0} />
        </Form.Item>
      </Flex>
      <ZoneField />
    </>
  );
}
