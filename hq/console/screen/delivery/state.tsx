import { CheckCircleFilled, ClockCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../word/language.tsx';
import type { Delivery } from './queries.ts';
import { words } from './words.ts';

const LOOKS: Record<Delivery['status'], { color: string; icon: ReactNode }> = {
  success: { color: 'success', icon: <CheckCircleFilled /> },
  pending: { color: 'processing', icon: <ClockCircleFilled /> },
  failed: { color: 'error', icon: <CloseCircleFilled /> },
};

export function DeliveryState({ status }: Pick<Delivery, 'status'>) {
  const say = useWords(words);
  const { color, icon } = LOOKS[status];
  return (
    <Tag color={color} icon={icon}>
      {say(status)}
    </Tag>
  );
}

/** What the receiver answered, by its HTTP status. */
export function AnswerCode({ code }: { code: number | null }) {
  const say = useWords(words);
  if (code === null) return <span className="quiet">{say('noAnswer')}</span>;
  return <Tag color={code >= 200 && code < 300 ? 'success' : 'error'}>HTTP {code}</Tag>;
}
