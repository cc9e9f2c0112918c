import { AutoComplete, Checkbox, Flex, Form, Input, InputNumber, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import type { TakingFields } from './taking.ts';
import { words } from './words.ts';

const zones = Intl.supportedValuesOf('timeZone');
const DAY_MINUTES = 1_440;

/** Which operational alarms go out by the channel, how often again, and when none does. */
export function AlarmFields() {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const from: TakingFields['alarms'] = Form.useWatch('alarms');
  return (
    <>
      <Form.Item name="alarms" label={say('alarms')} extra={say('alarmsHint')}>
        <Select
          options={[
            { value: 'none', label: say('alarmsNone') },
            { value: 'critical', label: say('alarmsCritical') },
            { value: 'warning', label: say('alarmsAll') },
          ]}
        />
      </Form.Item>
      {from !== undefined && from !== 'none' && (
        <>
          <Form.Item
            name="repeatMinutes"
            label={say('repeat')}
            extra={say('repeatHint')}
            rules={[{ required: true, message: sayCommon('needed') }]}
          >
            <InputNumber
              min={0}
              max={DAY_MINUTES}
              precision={0}
              suffix={say('minutes')}
              className="form-full"
            />
          </Form.Item>
          <QuietFields />
        </>
      )}
    </>
  );
}

function QuietFields() {
  const say = useWords(words);
  const sayCommon = useWords(common);
  const quiet: boolean | undefined = Form.useWatch('quiet');
  const needed = [{ required: true, message: sayCommon('needed') }];
  return (
    <>
      <Form.Item name="quiet" valuePropName="checked" extra={say('quietHint')}>
        <Checkbox>{say('quiet')}</Checkbox>
      </Form.Item>
      {quiet && (
        <>
          <Flex gap="middle" wrap>
            <Form.Item name="begin" label={say('quietBegin')} rules={needed}>
              <Input type="time" />
            </Form.Item>
            <Form.Item name="end" label={say('quietEnd')} rules={needed}>
              <Input type="time" />
            </Form.Item>
          </Flex>
          <Form.Item name="zone" label={say('zone')} rules={needed}>
            <AutoComplete
              options={zones.map((value) => ({ value }))}
              showSearch={{
                filterOption: (typed, option) =>
                  option?.value.toLowerCase().includes(typed.toLowerCase()) ?? false,
              }}
              maxLength={64}
            />
          </Form.Item>
          <Form.Item name="criticalThrough" valuePropName="checked">
            <Checkbox>{say('criticalThrough')}</Checkbox>
          </Form.Item>
        </>
      )}
    </>
  );
}
