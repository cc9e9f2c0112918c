import { CheckCircleFilled, MinusCircleOutlined } from '@ant-design/icons';
import { Alert, Collapse, Flex, Skeleton, Tag } from 'antd';
import { useState } from 'react';
import { AsOf } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { detailWords } from './detail-words.ts';
import { type Explanation, useExplanation } from './queries.ts';

/** Why a rule decided as it did; asked for when it is opened. */
export function Why({ id }: { id: number }) {
  const say = useWords(detailWords);
  const [open, setOpen] = useState(false);
  const query = useExplanation(id, open);
  const children = (
    <Flex vertical gap="small">
      <AsOf query={query} />
      {query.data ? <Explained explanation={query.data} /> : query.isPending && <Skeleton active />}
    </Flex>
  );
  return (
    <Collapse
      size="small"
      items={[{ key: 'why', label: say('why'), children }]}
      onChange={(keys) => setOpen(keys.length > 0)}
    />
  );
}

/** Each rule with why it decides the event, or does not. */
export function Explained({
  explanation: { rules, makesTask, choice, note, noteZh },
}: {
  explanation: Explanation;
}) {
  const say = useWords(detailWords);
  const { language } = useLanguage();
  return (
    <>
      <Alert
        type="info"
        title={
          <>
            {say(makesTask ? 'makesTask' : 'noTask')}
            {choice.ruleName === null
              ? ` · ${say(choice.rulesUnread ? 'rulesUnread' : 'noRule')}`
              : ` · ${say('rule')} ${choice.ruleName}`}
          </>
        }
        description={[choice.message, language === 'zh' ? noteZh : note].filter(Boolean).join(' · ')}
      />
      {rules.map(({ name, version, chosen, reason, reasonZh }) => (
        <Flex key={`${name} ${version}`} gap="small" align="start">
          {chosen ? <CheckCircleFilled /> : <MinusCircleOutlined className="quiet" />}
          <div className="wrap">
            <strong>{name}</strong> <span className="quiet">{say('version', { version })}</span>{' '}
            {chosen && <Tag color="success">{say('chosen')}</Tag>}
            <div>{language === 'zh' ? reasonZh : reason}</div>
          </div>
        </Flex>
      ))}
      <span className="quiet">{say('asNow')}</span>
    </>
  );
}
