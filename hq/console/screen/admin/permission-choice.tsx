import { Checkbox, Flex, Form, Radio } from 'antd';
import { type Permission, useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { usePermissions } from '../permission/queries.ts';
import { permissionWords } from './permission-words.ts';
import type { User } from './queries.ts';
import { words } from './words.ts';

/** Fields of a form that say what a user may do. */
export interface PermissionFields {
  all: boolean;
  permissions?: Permission[];
}

/** What the API is sent for them: null is all that the role has. */
export const permissionsFrom = ({ all, permissions }: PermissionFields): Permission[] | null =>
  all ? null : (permissions ?? []);

/** Offers what one holds oneself: more than that the hub lets nobody give. */
export function PermissionChoice({ role }: { role: User['role'] }) {
  const say = useWords(words);
  const tell = useWords(permissionWords);
  const { can } = useSession();
  const all: boolean | undefined = Form.useWatch('all');
  const names = (usePermissions().data ?? [])
    .filter(({ name, customers }) => can(name) && (role === 'operator' || customers !== 'never'))
    .map(({ name }) => name);
  return (
    <>
      <Form.Item name="all" label={say('permissions')}>
        <Radio.Group
          options={[
            { value: true, label: say('asRole') },
            { value: false, label: say('chosen') },
          ]}
        />
      </Form.Item>
      {all === false && (
        <Form.Item name="permissions">
          <Checkbox.Group>
            <Flex vertical gap={4}>
              {names.map((name) => (
                <Checkbox key={name} value={name}>
                  {tell(name)} <span className="quiet">{name}</span>
                </Checkbox>
              ))}
            </Flex>
          </Checkbox.Group>
        </Form.Item>
      )}
    </>
  );
}
