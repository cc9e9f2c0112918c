import { useWords } from '../../word/language.tsx';
import { words as eventWords } from '../event/words.ts';
import { channels } from './filters.ts';
import type { Rehearsal } from './queries.ts';
import { rehearsalWords } from './rehearsal-words.ts';
import { words } from './words.ts';

type Fate = Rehearsal['examples'][number]['before'];

/** What becomes of an event: by which rule, and how. */
export function FateText({ fate }: { fate: Fate }) {
  const say = useWords(rehearsalWords);
  const sayRule = useWords(words);
  const saySeverity = useWords(eventWords);
  const { ruleName, outcome, kind, severity, dueMinutes, assigneeOrg } = fate;
  const by = channels.filter((one) => fate.channels.includes(one)).map((one) => sayRule(one));
  const parts =
    outcome === 'task'
      ? [
          say(kind),
          saySeverity(severity),
          ...by,
          ...(assigneeOrg === null ? [] : [assigneeOrg]),
          ...(dueMinutes === null ? [] : [say('within', { minutes: dueMinutes })]),
          ...(fate.judgedBelow ? [say('judgedBelow')] : []),
        ]
      : [say(outcome)];
  return (
    <div className="said">
      <strong>{ruleName ?? say('noRule')}</strong>
      <div>{parts.join(' · ')}</div>
    </div>
  );
}
