import type { paths } from '@fieldline/client';
import { Form, Select } from 'antd';
import { useWords } from '../../word/language.tsx';
import { scopeWords } from './scope-words.ts';
import { words } from './words.ts';

export type Scope = NonNullable<
  NonNullable<
    paths['/api/core/consumers/{consumer}/keys']['post']['requestBody']
  >['content']['application/json']['scopes']
>[number];
/** Every one that the hub knows: the type finds one that is missing. */
const SCOPES = Object.keys({
  'events.pull': true,
  'events.read': true,
  'evidence.read': true,
  'timeline.read': true,
  'stats.read': true,
  'verdicts.write': true,
  'tasks.read': true,
  'tasks.write': true,
  'incidents.read': true,
  'incidents.write': true,
  'datasets.read': true,
  'policy.search': true,
  'policy.cite': true,
  'policy.log': true,
} satisfies Record<Scope, true>) as Scope[];
const isScope = (text: string): text is Scope => SCOPES.some((scope) => scope === text);

/** A scope of another version is called as it is written. */
export function ScopeName({ scope }: { scope: string }) {
  const say = useWords(scopeWords);
  return isScope(scope) ? say(scope) : scope;
}

/** Those of a list that this console knows. */
export const knownScopes = (scopes: readonly string[]): Scope[] => scopes.filter(isScope);

/** What a key, or a token, opens. @param needed whether there must be one */
export function ScopesField({ needed = false }: { needed?: boolean }) {
  const say = useWords(scopeWords);
  const sayCommon = useWords(words);
  return (
    <Form.Item
      name="scopes"
      label={say('scopes')}
      rules={needed ? [{ required: true, message: sayCommon('needed') }] : []}
    >
      <Select
        mode="multiple"
        showSearch={{ optionFilterProp: 'label' }}
        options={SCOPES.map((value) => ({ value, label: say(value) }))}
      />
    </Form.Item>
  );
}
