import { faultText } from '../../page/fault-text.ts';
import { words as pageWords } from '../../page/words.ts';
import { useLanguage, useWords } from '../../word/language.tsx';
import { useSiteName } from '../site/name.tsx';
import { detailWords } from './detail-words.ts';
import { useStateName } from './labels.tsx';
import { lastMover, MovedMeanwhile } from './moves.ts';
import type { Task } from './queries.ts';

export interface Result {
  ok: boolean;
  text: string;
}

/** What is answered to a task that is made or moved: as it is, or the order to its site. */
type Answered = Pick<Task, 'state' | 'type'> & { order?: { instance: string } | null };

/** What became of one task that was made or moved, in words; it never fails. */
export function useTelling(): (answer: Promise<Answered>) => Promise<Result> {
  const say = useWords(detailWords);
  const siteName = useSiteName();
  const sayPage = useWords(pageWords);
  const { language } = useLanguage();
  const nameOf = useStateName();
  return async (answer) => {
    try {
      const { order, state, type } = await answer;
      const text = order
        ? say('ordered', { site: siteName(order.instance) })
        : say('nowIs', { state: nameOf(state, type) });
      return { ok: true, text };
    } catch (error) {
      if (error instanceof MovedMeanwhile) {
        const who = lastMover(error.task) ?? sayPage('somebody');
        return { ok: false, text: say('first', { who, state: nameOf(error.task.state, error.task.type) }) };
      }
      const { title, details } = faultText(error, sayPage, language);
      return { ok: false, text: [title, ...details].join(' · ') };
    }
  };
}
