import { AutoComplete, Checkbox, Flex, Form, Input } from 'antd';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

const zones = Intl.supportedValuesOf('timeZone');

function useNeeded() {
  return [{ required: true, message: useWords(words)('needed') }];
}

/** The field `zone` of a form. */
export function ZoneField() {
  const say = useWords(words);
  return (
    <Form.Item name="zone" label={say('zone')} rules={useNeeded()}>
      <AutoComplete
        options={zones.map((value) => ({ value }))}
        showSearch={{
          filterOption: (typed, option) => option?.value.toLowerCase().includes(typed.toLowerCase()) ?? false,
        }}
        maxLength={64}
      />
    </Form.Item>
  );
}

/**
 * Hours in which somebody is told nothing: the fields `begin`, `end`, `zone` and `criticalThrough` of a form,
 * which are there while the one of the name is checked.
 * @param said at its box
 */
export function QuietHours({
  name,
  label,
  said,
  hint,
}: {
  name: string;
  label?: string;
  said: string;
  hint?: string;
}) {
  const say = useWords(words);
  const needed = useNeeded();
  const shown: boolean | undefined = Form.useWatch(name);
  return (
    <>
      <Form.Item name={name} label={label} valuePropName="checked" extra={hint}>
        <Checkbox>{said}</Checkbox>
      </Form.Item>
      {shown && (
        <>
          <Flex gap="middle" wrap>
            <Form.Item name="begin" label={say('begin')} rules={needed}>
              <Input type="time" />
            </Form.Item>
            <Form.Item name="end" label={say('end')} rules={needed}>
              <Input type="time" />
            </Form.Item>
          </Flex>
          <ZoneField />
          <Form.Item name="criticalThrough" valuePropName="checked">
            <Checkbox>{say('criticalThrough')}</Checkbox>
          </Form.Item>
        </>
      )}
    </>
  );
}
