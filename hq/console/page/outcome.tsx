import {
  CheckCircleFilled,
  CloseCircleFilled,
  InfoCircleFilled,
  QuestionCircleFilled,
  WarningFilled,
} from '@ant-design/icons';
import { Flex } from 'antd';
import type { ReactNode } from 'react';

const ICONS = {
  success: CheckCircleFilled,
  info: InfoCircleFilled,
  warning: WarningFilled,
  error: CloseCircleFilled,
  unknown: QuestionCircleFilled,
} as const;

/**
 * In the place of a whole screen or list: how it stands, and what to do. The library's own brings drawings
 * into the first page that nobody sees there.
 */
export function Outcome({
  kind,
  title,
  under,
  actions,
}: {
  kind: keyof typeof ICONS;
  title: string;
  under?: ReactNode;
  actions?: ReactNode;
}) {
  const Icon = ICONS[kind];
  return (
    <Flex vertical align="center" gap="middle" className={`outcome outcome-${kind}`}>
      <Icon className="outcome-icon" aria-hidden />
      <p className="outcome-title">{title}</p>
      {under && <div className="quiet">{under}</div>}
      {actions && (
        <Flex gap="small" wrap justify="center">
          {actions}
        </Flex>
      )}
    </Flex>
  );
}
