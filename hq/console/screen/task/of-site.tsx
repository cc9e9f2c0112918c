import { Navigate, useParams } from '@tanstack/react-router';
import { Alert, Skeleton } from 'antd';
import { AsOf } from '../../page/fault.tsx';
import { Page } from '../../page/page.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { useTaskOfSite } from './queries.ts';

/** Where messages of a site lead: it knows its tasks by numbers of its own. */
export function TaskOfSite() {
  const say = useWords(detailWords);
  const { instance = '', origin = '' } = useParams({ strict: false });
  const task = useTaskOfSite(instance, Number(origin));
  if (task.data) return <Navigate to="/tasks/$id" params={{ id: String(task.data.id) }} replace />;
  return (
    <Page title={say('ofSite', { site: instance, id: origin })}>
      {task.isPending ? <Skeleton active /> : <AsOf query={task} />}
      {task.data === null && <Alert type="info" showIcon title={say('notYetHere')} />}
    </Page>
  );
}
