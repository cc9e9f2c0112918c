import { Flex, Tabs } from 'antd';
import { useFilters } from '../../list/filter.ts';
import { Page } from '../../page/page.tsx';
import { useSession } from '../../session/session.tsx';
import { useWords } from '../../word/language.tsx';
import { KnowledgeList } from '../knowledge/list.tsx';
import { Statistics } from '../statistics/statistics.tsx';
import { reportFilters } from './filters.ts';
import { words } from './words.ts';

/** How did the period go? */
export function Reports() {
  const say = useWords(words);
  const { can } = useSession();
  const { filters, change } = useFilters(reportFilters);
  const tabs = [
    ...(can('knowledge.view')
      ? [{ key: 'knowledge' as const, label: say('knowledge'), children: <KnowledgeList /> }]
      : []),
    ...(can('stats.view')
      ? [{ key: 'statistics' as const, label: say('statistics'), children: <Statistics /> }]
      : []),
  ];
  const tab = tabs.find(({ key }) => key === filters.tab) ?? tabs[0];
  return (
    <Page title={say('title')} under={say('under')}>
      <Tabs
        activeKey={tab?.key ?? ''}
        destroyOnHidden
        onChange={(key) => change({ tab: key === 'statistics' ? 'statistics' : undefined }, { push: true })}
        items={tabs.map(({ children, ...one }) => ({
          ...one,
          children: (
            <Flex vertical gap="middle">
              {children}
            </Flex>
          ),
        }))}
      />
    </Page>
  );
}
