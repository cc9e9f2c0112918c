import { Overtaken } from '../../../page/overtaken.tsx';
import { useTimeText } from '../../../time/time.tsx';
import { useWords } from '../../../word/language.tsx';
import type { Event } from '../queries.ts';
import { words } from '../words.ts';
import type { Given } from './judgements.ts';
import { verdictWords } from './verdict-words.ts';

/** Who judged while the dialog was open, when and what. @param correct goes on with what was typed */
export function FirstAlert({
  event,
  newer: { by, at, verdict, note, corrects },
  leave,
  correct,
}: {
  event: Event;
  newer: Given;
  leave: () => void;
  correct: () => void;
}) {
  const say = useWords(verdictWords);
  const sayWord = useWords(words);
  const text = useTimeText();
  const particulars = { who: by, at: text.full(at, event.instance), verdict: sayWord(verdict) };
  return (
    <Overtaken
      title={say(corrects ? 'firstCorrected' : 'first', particulars)}
      leave={leave}
      goOn={{ word: say('correctIt'), act: correct }}
    >
      {note !== null && <bdi className="wrap quiet">{note}</bdi>}
    </Overtaken>
  );
}
