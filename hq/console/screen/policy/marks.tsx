import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  EyeOutlined,
  LockOutlined,
  StopOutlined,
  SwapOutlined,
} from '@ant-design/icons';
import { Tag } from 'antd';
import type { ReactNode } from 'react';
import { useWords } from '../../word/language.tsx';
import type { FileStateName } from './filters.ts';
import type { Check, PolicyFile } from './queries.ts';
import { words } from './words.ts';

export const stateOf = ({ status, scheduled }: Pick<PolicyFile, 'status' | 'scheduled'>): FileStateName =>
  scheduled ? 'scheduled' : status;

const STATES: Record<FileStateName, { color: string; icon: ReactNode }> = {
  uploaded: { color: 'default', icon: <ClockCircleOutlined /> },
  parsing: { color: 'processing', icon: <ClockCircleOutlined /> },
  review: { color: 'warning', icon: <EyeOutlined /> },
  scheduled: { color: 'processing', icon: <ClockCircleOutlined /> },
  effective: { color: 'success', icon: <CheckCircleFilled /> },
  superseded: { color: 'default', icon: <SwapOutlined /> },
  withdrawn: { color: 'error', icon: <StopOutlined /> },
};

export function FileState({ status }: { status: FileStateName }) {
  const say = useWords(words);
  const { color, icon } = STATES[status];
  return (
    <Tag color={color} icon={icon}>
      {say(status)}
    </Tag>
  );
}

export function Level({ level }: { level: PolicyFile['securityLevel'] }) {
  const say = useWords(words);
  const closed = level === 'confidential' || level === 'secret';
  return closed ? (
    <Tag color="gold" icon={<LockOutlined />}>
      {say(level)}
    </Tag>
  ) : (
    say(level)
  );
}

/** What the citation check says of a clause. @param good its word when it may be cited */
export function Checked({ reason, good }: { reason: Check | undefined; good?: string }) {
  const say = useWords(words);
  if (reason === undefined) return null;
  return reason === '' ? (
    <Tag color="success" icon={<CheckCircleFilled />}>
      {good ?? say('may')}
    </Tag>
  ) : (
    <Tag color="error" icon={<CloseCircleFilled />}>
      {say(reason)}
    </Tag>
  );
}

/** `2026-01-01 – 2026-12-31`, days of Beijing. */
export function useValidity() {
  const say = useWords(words);
  return ({ effectiveDate, expiryDate }: Pick<PolicyFile, 'effectiveDate' | 'expiryDate'>): string => {
    if (effectiveDate !== null && expiryDate !== null) return `${effectiveDate} – ${expiryDate}`;
    if (effectiveDate !== null) return say('fromOn', { from: effectiveDate });
    return expiryDate === null ? say('always') : say('untilOn', { until: expiryDate });
  };
}
