import { Link } from '@tanstack/react-router';
import { Card, Flex } from 'antd';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import type { TaskDetail } from './queries.ts';

/** What of the policies in force applied to the event when the task was made. */
interface Clause {
  title: string;
  path: string | null;
  text: string;
  version: string;
  docId: number;
  chunkId: number;
}

/** null: the body has none, or something else under its name, since a body may hold anything. */
export function clauseOf({ body: { clause } }: Pick<TaskDetail, 'body'>): Clause | null {
  if (typeof clause !== 'object' || clause === null) return null;
  const { title, path, text, version, docId, chunkId } = clause as Partial<Record<keyof Clause, unknown>>;
  if (typeof title !== 'string' || typeof text !== 'string' || typeof version !== 'string') return null;
  if (!isId(docId) || !isId(chunkId)) return null;
  return { title, path: typeof path === 'string' ? path : null, text, version, docId, chunkId };
}

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The clause that applies, as the task keeps it, and the way to it in the library. */
export function ClauseCard({ clause, tenant }: { clause: Clause; tenant: string }) {
  const say = useWords(detailWords);
  const { can } = useSession();
  const { title, path, text, version, docId, chunkId } = clause;
  return (
    <Card size="small" title={say('clause')}>
      <Flex vertical gap="small">
        <strong className="wraps">{path ?? title}</strong>
        <div className="clause-text">{text}</div>
        <span className="quiet wraps">{say('clauseOf', { title, version })}</span>
        {can('policy.view') && (
          <Link to="/library/files/$doc" params={{ doc: String(docId) }} search={{ tenant, clause: chunkId }}>
            {say('toClause')}
          </Link>
        )}
      </Flex>
    </Card>
  );
}
