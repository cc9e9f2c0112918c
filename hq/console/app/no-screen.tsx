import { Result } from 'antd';
import { words } from '../shell/words.ts';
import { useWords } from '../word/language.tsx';

/** For a user without any permission that a screen needs. */
export function NoScreen() {
  const say = useWords(words);
  return <Result status="info" title={say('nothingFor')} />;
}
