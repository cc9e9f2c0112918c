import {
  CheckCircleOutlined,
  MergeCellsOutlined,
  RobotOutlined,
  SplitCellsOutlined,
} from '@ant-design/icons';
import { Flex, Tag } from 'antd';
import type { ReactNode } from 'react';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { Incident } from './queries.ts';
import { words } from './words.ts';

const STATE: Record<Incident['state'], { color: string; icon: ReactNode }> = {
  auto: { color: 'default', icon: <RobotOutlined /> },
  confirmed: { color: 'success', icon: <CheckCircleOutlined /> },
  split: { color: 'processing', icon: <SplitCellsOutlined /> },
  closed: { color: 'default', icon: <MergeCellsOutlined /> },
};

export function StateTag({ state }: Pick<Incident, 'state'>) {
  const say = useWords(words);
  const { color, icon } = STATE[state];
  return (
    <Tag color={color} icon={icon}>
      {say(state)}
    </Tag>
  );
}

export const nameOf = ({
  title,
  siteRef,
  pointRef,
}: Pick<Incident, 'title' | 'siteRef' | 'pointRef'>): string =>
  title ?? [siteRef, pointRef].filter((one) => one !== null).join(' · ');

/** From the first member to the last. */
export function Span({
  group: { firstAt, lastAt, instance },
}: {
  group: Pick<Incident, 'firstAt' | 'lastAt' | 'instance'>;
}) {
  return (
    <Flex vertical className="span">
      <Time at={firstAt} site={instance} />
      {lastAt !== firstAt && (
        <span>
          – <Time at={lastAt} site={instance} />
        </span>
      )}
    </Flex>
  );
}
