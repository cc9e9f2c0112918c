import { useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { faultWords } from './fault-words.ts';

const CLASSES = [
  'address not allowed',
  'connection refused',
  'timed out',
  'unreachable',
  'answered with an error',
  'not sent',
] as const;

/** As the API says it (common/core/task/{push,field-push}.ts). */
const SAID = [
  [/^the event came without a feedback address$/, 'noAddress'],
  [/^the event is not kept here any more/, 'notKept'],
  [/^not tried within this request/, 'later'],
] as const;
const SAID_OF_SITE = [
  [/^the site (\S+) carries it out/, 'atSite'],
  [/^the event arose at (\S+), whose cameras/, 'outOfReach'],
] as const;

/** Why a message was not taken, in words; what the operator is told beside its class stays as it is. */
export function useCameraFault(): (error: string) => string {
  const say = useWords(faultWords);
  const siteName = useSiteName();
  return (error) => {
    const said = SAID.find(([form]) => form.test(error));
    if (said) return say(said[1]);
    for (const [form, word] of SAID_OF_SITE) {
      const site = form.exec(error)?.[1];
      if (site !== undefined) return say(word, { site: siteName(site) });
    }
    const kind = CLASSES.find((one) => error === one || error.startsWith(`${one}:`));
    if (kind === undefined) return error;
    const more = error.slice(kind.length).replace(/^:\s*/, '');
    return more === '' ? say(kind) : say('because', { why: say(kind), more });
  };
}
