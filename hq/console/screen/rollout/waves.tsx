import { type TableColumnsType, Typography } from 'antd';
import { DataTable } from '../../list/data-table.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import type { Rollout } from './queries.ts';
import { StepCounts } from './state.tsx';
import { words } from './words.ts';

type Wave = Rollout['waves'][number];

/** How far each wave is, and how many of it may fail. */
export function Waves({ rollout: { waves } }: { rollout: Rollout }) {
  const say = useWords(words);
  return (
    <>
      <Typography.Title level={2} className="section">
        {say('waves')}
      </Typography.Title>
      <DataTable<Wave> rowKey="no" columns={useColumns()} dataSource={waves} />
    </>
  );
}

function useColumns(): TableColumnsType<Wave> {
  const say = useWords(words);
  const { language } = useLanguage();
  const count = (value: number) => number(value, language);
  return [
    { key: 'wave', title: say('wave'), render: (_, { no }) => count(no) },
    { key: 'sites', title: say('waveSites'), align: 'end', render: (_, { sites }) => count(sites) },
    {
      key: 'through',
      title: say('through'),
      align: 'end',
      render: (_, { begun, through }) =>
        begun ? count(through) : <span className="quiet">{say('notBegun')}</span>,
    },
    {
      key: 'failed',
      title: say('failed'),
      align: 'end',
      render: (_, { failed, mayFail }) => (
        <Typography.Text type={failed > mayFail ? 'danger' : 'secondary'}>
          {say('failedOf', { failed: count(failed), most: count(mayFail) })}
        </Typography.Text>
      ),
    },
    { key: 'steps', title: say('steps'), render: (_, { counts }) => <StepCounts counts={counts} /> },
  ];
}
