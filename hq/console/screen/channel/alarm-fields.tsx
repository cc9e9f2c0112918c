import { Form, InputNumber, Select } from 'antd';
import { QuietHours } from '../../time/quiet-hours.tsx';
import { useWords } from '../../word/language.tsx';
import { words as common } from '../integration/words.ts';
import type { TakingFields } from './taking.ts';
import { words } from './words.ts';

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
          <QuietHours name="quiet" said={say('quiet')} hint={say('quietHint')} />
        </>
      )}
    </>
  );
}
