import { Alert, Button } from 'antd';
import { useTimeText } from '../time/time.tsx';
import { useLanguage, useWords } from '../word/language.tsx';
import { faultText } from './fault-text.ts';
import { words } from './words.ts';

/** An error where something should stand, with the request id under which the hub has it in its log. */
export function Fault({ error, retry }: { error: unknown; retry?: () => void }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const { title, details, requestId } = faultText(error, say, language);
  return (
    <Alert
      type="error"
      showIcon
      title={title}
      description={
        <>
          {details.map((one) => (
            <div key={one}>{one}</div>
          ))}
          {requestId && <div className="quiet">{say('requestId', { id: requestId })}</div>}
        </>
      }
      action={retry && <Button onClick={retry}>{say('retry')}</Button>}
    />
  );
}

/** What of a query this needs; every query has it. */
export interface Dated {
  error: unknown;
  dataUpdatedAt: number;
  data: unknown;
  refetch: () => unknown;
}

/** Above rows that are old because the hub did not answer the last question: since when, and why. */
export function AsOf({ query }: { query: Dated }) {
  const say = useWords(words);
  const text = useTimeText();
  const { language } = useLanguage();
  if (!query.error) return null;
  if (query.data === undefined) return <Fault error={query.error} retry={() => void query.refetch()} />;
  const { title, requestId } = faultText(query.error, say, language);
  return (
    <Alert
      type="warning"
      showIcon
      banner
      title={
        <>
          {title} · {say('asOf', { at: text.clock(query.dataUpdatedAt) })}
          {requestId && <span className="quiet"> · {say('requestId', { id: requestId })}</span>}
        </>
      }
    />
  );
}
