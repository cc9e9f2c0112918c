import { Button, Checkbox, Form, Input, Radio, Select } from 'antd';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useSession } from '../../session/session.tsx';
import { QuietHours } from '../../time/quiet-hours.tsx';
import { ownZone } from '../../time/zone.ts';
import { useWords } from '../../word/language.tsx';
import { useKnownTenants } from '../report/tenant.tsx';
import { useSiteOffers } from '../site/choice.tsx';
import { MINE, type MyCalls } from './queries.ts';
import { words } from './words.ts';

type Choice = MyCalls['choice'];
type Severity = Choice['severities'][number];
const SEVERITIES: readonly Severity[] = ['critical', 'high', 'medium', 'low'];

interface Fields extends Omit<Choice, 'quiet' | 'tenants' | 'sites' | 'email'> {
  tenants: string[];
  sites: string[];
  email: string;
  isQuiet: boolean;
  begin: string;
  end: string;
  zone: string;
  criticalThrough: boolean;
}

const fieldsOf = ({ quiet, tenants, sites, email, ...rest }: Choice): Fields => ({
  ...rest,
  tenants: tenants ?? [],
  sites: sites ?? [],
  email: email ?? '',
  isQuiet: quiet !== null,
  begin: quiet?.begin ?? '22:00',
  end: quiet?.end ?? '07:00',
  zone: quiet?.zone ?? ownZone(),
  criticalThrough: quiet?.criticalThrough ?? true,
});

const bodyOf = ({ isQuiet, begin, end, zone, criticalThrough, tenants, sites, email, ...rest }: Fields) => ({
  ...rest,
  tenants: tenants.length === 0 ? null : tenants,
  sites: sites.length === 0 ? null : sites,
  email: email.trim() === '' ? null : email.trim(),
  quiet: isQuiet ? { begin, end, zone, critical_through: criticalThrough } : null,
});

/** What of all that happens is told to me, when, in what language and how. */
export function ChoiceForm({ mine }: { mine: MyCalls }) {
  const say = useWords(words);
  const [form] = Form.useForm<Fields>();
  const act = useAct({
    act: (fields: Fields) => answerOf(api.PUT('/api/core/duty/me', { body: bodyOf(fields) })),
    changes: [MINE],
    done: () => say('saved'),
  });
  const initial = fieldsOf(mine.choice);
  return (
    <Form<Fields>
      form={form}
      layout="vertical"
      initialValues={initial}
      // Of fields that are not shown the value stays.
      onFinish={(shown) => act.run({ ...initial, ...shown })}
    >
      <Form.Item name="when" label={say('when')}>
        <Radio.Group
          options={(['always', 'on_duty'] as const).map((value) => ({ value, label: say(value) }))}
        />
      </Form.Item>
      <WhatFields />
      <QuietHours name="isQuiet" label={say('quiet')} said={say('quietOn')} />
      <HowFields mail={mine.mail} />
      <Button type="primary" htmlType="submit" loading={act.pending}>
        {say('save')}
      </Button>
    </Form>
  );
}

function WhatFields() {
  const say = useWords(words);
  const { identity } = useSession();
  const tenants = useKnownTenants();
  const sites = useSiteOffers();
  const when: Choice['when'] | undefined = Form.useWatch('when');
  if (when === 'on_duty') return null;
  return (
    <>
      <Form.Item name="severities" label={say('severities')}>
        <Checkbox.Group options={SEVERITIES.map((value) => ({ value, label: say(value) }))} />
      </Form.Item>
      <Form.Item name="alarms" valuePropName="checked">
        <Checkbox>{say('alarms')}</Checkbox>
      </Form.Item>
      {identity.tenantCode === null && (
        <Form.Item name="tenants" label={say('tenants')} extra={say('every')}>
          <Select mode="tags" options={tenants.map((value) => ({ value }))} />
        </Form.Item>
      )}
      <Form.Item name="sites" label={say('sites')} extra={say('every')}>
        <Select mode="tags" options={[...sites]} />
      </Form.Item>
    </>
  );
}

function HowFields({ mail }: { mail: boolean }) {
  const say = useWords(words);
  const email: string | undefined = Form.useWatch('email');
  return (
    <>
      <Form.Item name="ways" label={say('ways')}>
        <Checkbox.Group
          options={(['push', 'email'] as const).map((value) => ({ value, label: say(value) }))}
        />
      </Form.Item>
      <Form.Item
        name="email"
        label={say('address')}
        extra={!mail && email ? say('noMail') : undefined}
        rules={[{ type: 'email', message: say('needed') }]}
      >
        <Input type="email" autoComplete="email" maxLength={320} />
      </Form.Item>
      <Form.Item name="language" label={say('language')}>
        <Radio.Group
          options={[
            { value: 'zh', label: say('langZh') },
            { value: 'en', label: say('langEn') },
          ]}
        />
      </Form.Item>
    </>
  );
}
