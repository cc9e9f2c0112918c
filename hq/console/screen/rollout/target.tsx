import { useWords } from '../../word/language.tsx';
import type { Rollout } from './queries.ts';
import { words } from './words.ts';

/** Which sites a rollout was begun for. */
export function Target({ of: { all, group } }: { of: Pick<Rollout, 'all' | 'group'> }) {
  const say = useWords(words);
  if (all) return say('allSites');
  return <bdi>{group === null ? say('named') : say('ofGroup', { group })}</bdi>;
}
