import { EditOutlined } from '@ant-design/icons';
import { Card, Collapse, Empty, Flex, Tag } from 'antd';
import { Time } from '../../time/time.tsx';
import { useWords } from '../../word/language.tsx';
import type { Knowledge } from './queries.ts';
import { sectionOf } from './sections.ts';
import { words } from './words.ts';

/** What an object says, section by section, and below that what else is in its body. */
export function Body({ body: { sections, ...more } }: { body: Knowledge['body'] }) {
  const say = useWords(words);
  const entries = Object.entries(sections);
  return (
    <Flex vertical gap="middle">
      {entries.length === 0 && <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={say('noSections')} />}
      {entries.map(([name, raw]) => {
        const { title, text, editable, revisedBy, revisedAt } = sectionOf(raw);
        return (
          <Card
            key={name}
            size="small"
            title={
              <bdi className="breaks" title={name}>
                {title ?? name}
              </bdi>
            }
            extra={editable && <Tag icon={<EditOutlined />}>{say('forPeople')}</Tag>}
          >
            <div className="clause-text">{text}</div>
            {revisedBy !== undefined && (
              <div className="quiet">
                <bdi>{say('revisedBy', { who: revisedBy })}</bdi>{' '}
                {revisedAt !== undefined && <Time at={revisedAt} />}
              </div>
            )}
          </Card>
        );
      })}
      {Object.keys(more).length > 0 && (
        <Collapse
          size="small"
          items={[
            {
              key: 'more',
              label: say('more'),
              children: <pre className="raw">{JSON.stringify(more, null, 2)}</pre>,
            },
          ]}
        />
      )}
    </Flex>
  );
}
