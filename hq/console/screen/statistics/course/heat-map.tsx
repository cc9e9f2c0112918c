import { useLanguage, useWords } from '../../../word/language.tsx';
import { number } from '../../../word/number.ts';
import { heatOf } from './fold.ts';
import { courseWords, weekdays } from './words.ts';

/** Events by weekday and hour: a table, whose fields are the darker the more there were. */
export function HeatMap({ week }: { week: readonly (readonly number[])[] }) {
  const say = useWords(courseWords);
  const { language } = useLanguage();
  const most = Math.max(0, ...week.flat());
  return (
    <figure className="chart" aria-label={say('ofWeek')}>
      <figcaption>{say('ofWeek')}</figcaption>
      <div className="heat-frame" tabIndex={0} role="group" aria-label={say('ofWeek')}>
        <table className="heat">
          <thead>
            <tr>
              <th scope="col">{say('weekday')}</th>
              {Array.from({ length: 24 }, (_, hour) => (
                <th key={hour} scope="col">
                  {hour}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekdays.map((name, weekday) => (
              <tr key={name}>
                <th scope="row">{say(name)}</th>
                {week[weekday]?.map((count, hour) => (
                  <td key={hour} className={`heat-${heatOf(count, most)}`}>
                    {count === 0 ? '' : number(count, language)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
