import { Outcome } from '../page/outcome.tsx';
import { words } from '../shell/words.ts';
import { useWords } from '../word/language.tsx';

/** For a user without any permission that a screen needs. */
export function NoScreen() {
  const say = useWords(words);
  return <Outcome kind="info" title={say('nothingFor')} />;
}
