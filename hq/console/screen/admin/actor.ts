import { useWords } from '../../word/language.tsx';
import { words } from './words.ts';

/** Who did it, in words: the audit writes `user:li.chief from 127.0.0.1`. */
export function useActorText(): (actor: string) => string {
  const say = useWords(words);
  return (actor) => {
    const [, who = actor, from] = /^(.+?) from (.+)$/.exec(actor) ?? [];
    const [, user] = /^user:(.+)$/.exec(who) ?? [];
    const named = user === undefined ? who : say('actorUser', { name: user });
    if (from === undefined) return named;
    return say('actorFrom', { who: named, from: from === 'local socket' ? say('localSocket') : from });
  };
}
