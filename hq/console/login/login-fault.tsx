import { Alert } from 'antd';
import { Refused } from '../api/fault.ts';
import { Fault } from '../page/fault.tsx';
import { useWords } from '../word/language.tsx';
import { PasskeyNotGiven } from './prove.ts';
import { words } from './words.ts';

/** Why somebody was not let in. */
export function LoginFault({ error }: { error: unknown }) {
  const say = useWords(words);
  if (error instanceof PasskeyNotGiven) return <Alert type="warning" showIcon title={say('notGiven')} />;
  return error instanceof Refused && error.code === 'invalid_credentials' ? (
    <Alert type="error" showIcon title={say('wrong')} />
  ) : (
    <Fault error={error} />
  );
}
