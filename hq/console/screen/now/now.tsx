import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { Outcome } from '../../page/outcome.tsx';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { Alarms } from './alarms.tsx';
import { Failing, Overdue, Refused, Severe, Silent } from './lines.tsx';
import { words } from './words.ts';

/** What needs a person, of what the user may see? Each line leads to where it is settled. */
export function Now() {
  const say = useWords(words);
  const { can } = useSession();
  return (
    <Page title={say('title')} under={say('under')}>
      <div className="now-grid">
        <Alarms />
        <Severe />
        {can('tasks.manage') && <Overdue />}
        {(can('uplink.view') || can('events.view')) && <Silent />}
        <Refused />
        {can('integration.view') && <Failing />}
      </div>
      <NothingLeft />
    </Page>
  );
}

/** When every list has come, and all are empty. */
function NothingLeft() {
  const say = useWords(words);
  const queries = useQueryClient();
  useIsFetching({ queryKey: ['now'] });
  const lists = queries.getQueriesData<{ items: unknown[] }>({ queryKey: ['now'], type: 'active' });
  if (lists.length === 0 || lists.some(([, data]) => data === undefined || data.items.length > 0))
    return null;
  return <Outcome kind="success" title={say('nothing')} />;
}
