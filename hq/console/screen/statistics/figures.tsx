import { Card, Statistic } from 'antd';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { type Counted, type Figures, figures } from './sums.ts';
import { words } from './words.ts';

const SHOWN = ['events', 'open', 'falseAlarms', 'tasks', 'overdue', 'escalated'] as const;

/** What a manager asks first, with the figure of the period before below each. */
export function KeyFigures({ now, before }: { now: Counted; before: Counted }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const [present, earlier] = [figures(now.events, now.tasks), figures(before.events, before.tasks)];
  const write = (name: keyof Figures, { [name]: value }: Figures): string => {
    if (value === null) return '–';
    if (name !== 'falseAlarms') return number(value, language);
    return new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 }).format(value);
  };
  return (
    <div className="figures">
      {SHOWN.map((name) => (
        <Card key={name} size="small">
          <Statistic title={say(name)} value={write(name, present)} />
          <span className="quiet">{say('was', { count: write(name, earlier) })}</span>
        </Card>
      ))}
    </div>
  );
}
