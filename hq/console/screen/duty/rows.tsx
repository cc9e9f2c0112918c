import { DeleteOutlined, PlusOutlined } from '@ant-design/icons';
import { Button, Card, Checkbox, Flex, Form, Input, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { NEW_SHIFT, type ShiftFields } from './fields.ts';
import { useDutyPeople } from './queries.ts';
import { words } from './words.ts';

/** The people who can be named, of the tenant that the form names. */
function useOffers(): { value: string; label: string }[] {
  const say = useWords(words);
  const operators: boolean | undefined = Form.useWatch('operators');
  const tenant: string | undefined = Form.useWatch('tenant');
  const { data = [] } = useDutyPeople(operators ? null : tenant === '' ? undefined : tenant);
  return data.map(({ name, reachable }) => ({
    value: name,
    label: reachable ? name : say('unreachable', { name }),
  }));
}

export function ShiftList() {
  const say = useWords(words);
  const people = useOffers();
  return (
    <Form.List name="shifts">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small" role="group" aria-label={say('shifts')}>
          <strong>{say('shifts')}</strong>
          {rows.map(({ key, name }) => (
            <ShiftRow key={key} at={name} people={people} remove={() => remove(name)} />
          ))}
          <Button icon={<PlusOutlined />} onClick={() => add(NEW_SHIFT)}>
            {say('addShift')}
          </Button>
        </Flex>
      )}
    </Form.List>
  );
}

/** Where any shift goes by turns. */
export function FirstWeek() {
  const say = useWords(words);
  const shifts: ShiftFields[] | undefined = Form.useWatch('shifts');
  if (!shifts?.some((shift) => shift.weekly)) return null;
  return (
    <Form.Item name="firstWeek" label={say('firstWeek')}>
      <Input type="date" step={7} />
    </Form.Item>
  );
}

interface RowProps {
  at: number;
  people: { value: string; label: string }[];
  remove: () => void;
}

function ShiftRow({ at, people, remove }: RowProps) {
  const say = useWords(words);
  const needed = [{ required: true, message: say('needed') }];
  const days = ([1, 2, 3, 4, 5, 6, 7] as const).map((value) => ({ value, label: say(`d${value}`) }));
  return (
    <Card size="small">
      <Form.Item name={[at, 'days']} label={say('days')} rules={needed}>
        <Checkbox.Group options={days} />
      </Form.Item>
      <Flex gap="middle" wrap>
        <Form.Item name={[at, 'begin']} label={say('begin')} rules={needed}>
          <Input type="time" />
        </Form.Item>
        <Form.Item name={[at, 'end']} label={say('end')} rules={needed}>
          <Input type="time" />
        </Form.Item>
      </Flex>
      <Form.Item name={[at, 'people']} label={say('people')} rules={needed}>
        <Select mode="multiple" options={people} />
      </Form.Item>
      <Flex justify="space-between" align="center">
        <Form.Item name={[at, 'weekly']} valuePropName="checked" noStyle>
          <Checkbox>{say('weekly')}</Checkbox>
        </Form.Item>
        <Button type="text" icon={<DeleteOutlined />} aria-label={say('removeRow')} onClick={remove} />
      </Flex>
    </Card>
  );
}

export function ExceptionList() {
  const say = useWords(words);
  const people = useOffers();
  return (
    <Form.List name="exceptions">
      {(rows, { add, remove }) => (
        <Flex vertical gap="small" role="group" aria-label={say('exceptions')}>
          <strong>{say('exceptions')}</strong>
          {rows.map(({ key, name }) => (
            <ExceptionRow key={key} at={name} people={people} remove={() => remove(name)} />
          ))}
          <Button icon={<PlusOutlined />} onClick={() => add({ from: '', to: '' })}>
            {say('addException')}
          </Button>
        </Flex>
      )}
    </Form.List>
  );
}

function ExceptionRow({ at, people, remove }: RowProps) {
  const say = useWords(words);
  const needed = [{ required: true, message: say('needed') }];
  return (
    <Card size="small">
      <Flex gap="middle" wrap>
        <Form.Item name={[at, 'from']} label={say('start')} rules={needed}>
          <Input type="datetime-local" />
        </Form.Item>
        <Form.Item name={[at, 'to']} label={say('until')} rules={needed}>
          <Input type="datetime-local" />
        </Form.Item>
      </Flex>
      <Flex gap="middle" wrap align="end" justify="space-between">
        <Form.Item name={[at, 'away']} label={say('away')}>
          <Select allowClear style={{ minWidth: 160 }} options={people} />
        </Form.Item>
        <Form.Item name={[at, 'instead']} label={say('instead')}>
          <Select allowClear style={{ minWidth: 160 }} options={people} />
        </Form.Item>
        <Button type="text" icon={<DeleteOutlined />} aria-label={say('removeRow')} onClick={remove} />
      </Flex>
    </Card>
  );
}
