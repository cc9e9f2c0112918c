import { Form, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

const HOURS = [0, 1, 24, 72, 168] as const;

/** `overlap_hours`: how long the secret before a rotation works on. */
export function OverlapField() {
  const say = useWords(words);
  const label = (hours: number): string => {
    if (hours === 0) return say('overlapNone');
    return hours === 168 ? say('overlapDays') : say('overlapHours', { hours });
  };
  return (
    <Form.Item name="overlap_hours" label={say('overlap')} initialValue={24}>
      <Select options={HOURS.map((value) => ({ value, label: label(value) }))} />
    </Form.Item>
  );
}
