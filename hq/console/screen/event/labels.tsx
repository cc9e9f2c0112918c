import {
  CheckCircleOutlined,
  CloseCircleOutlined,
  ExclamationCircleFilled,
  MergeCellsOutlined,
  QuestionCircleOutlined,
  WarningFilled,
} from '@ant-design/icons';
import { Flex, Tag } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../word/language.tsx';
import type { Event, Verdict } from './queries.ts';
import { words } from './words.ts';

type Severity = NonNullable<Event['severity']>;

const SEVERITY: Record<Severity, { color: string; icon?: ReactNode }> = {
  critical: { color: 'error', icon: <WarningFilled /> },
  high: { color: 'warning', icon: <ExclamationCircleFilled /> },
  medium: { color: 'processing' },
  low: { color: 'default' },
};

export function SeverityTag({ severity }: { severity: Event['severity'] }) {
  const say = useWords(words);
  if (severity === null) return <Tag>{say('noSeverity')}</Tag>;
  const { color, icon } = SEVERITY[severity];
  return (
    <Tag color={color} icon={icon}>
      {say(severity)}
    </Tag>
  );
}

const VERDICT: Record<Verdict, { color: string; icon: ReactNode }> = {
  confirmed: { color: 'error', icon: <CheckCircleOutlined /> },
  false_alarm: { color: 'default', icon: <CloseCircleOutlined /> },
  merged: { color: 'processing', icon: <MergeCellsOutlined /> },
};

/** The first verdict, and what it was corrected to. */
export function VerdictTag({
  event: { verdict, correctedTo },
}: {
  event: Pick<Event, 'verdict' | 'correctedTo'>;
}) {
  const say = useWords(words);
  if (verdict === null) return <Tag icon={<QuestionCircleOutlined />}>{say('unjudged')}</Tag>;
  const { color, icon } = VERDICT[verdict];
  return (
    <Flex gap={4} vertical align="start">
      <Tag color={color} icon={icon}>
        {say(verdict)}
      </Tag>
      {correctedTo !== null && (
        <Tag color={VERDICT[correctedTo].color}>{say('correctedTo', { verdict: say(correctedTo) })}</Tag>
      )}
    </Flex>
  );
}
