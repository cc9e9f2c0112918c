import { Link } from '@tanstack/react-router';
import { Button, Flex, Popconfirm, Tag } from 'antd';
import { useWords } from '../../../word/language.tsx';
import { words } from './words.ts';

/** What helps a question that has no answer, or a wrong one. */
export interface Remedies {
  tenant: string;
  addSynonyms: (words: readonly string[]) => void;
  addRule: () => void;
}

export function UnknownWords({ unknownWords }: { unknownWords: readonly string[] }) {
  return (
    <Flex gap={4} wrap>
      {unknownWords.map((word) => (
        <Tag key={word}>
          <bdi>{word}</bdi>
        </Tag>
      ))}
    </Flex>
  );
}

/** Synonyms, the rule that is missing, another try, and that it was dealt with. */
export function Acts({
  row: { question, unknownWords },
  remedies: { tenant, addSynonyms, addRule },
  settle,
  settling,
  sure,
}: {
  row: { question: string; unknownWords: readonly string[] };
  remedies: Remedies;
  settle: () => void;
  settling: boolean;
  sure: string;
}) {
  const say = useWords(words);
  return (
    <Flex gap="small" wrap>
      <Button size="small" onClick={() => addSynonyms(unknownWords)}>
        {say('addSynonyms')}
      </Button>
      <Button size="small" onClick={addRule}>
        {say('addRule')}
      </Button>
      <Link to="/library" search={{ tenant, q: question.slice(0, 200) }}>
        <Button size="small">{say('tryAgain')}</Button>
      </Link>
      <Popconfirm title={sure} okText={say('settle')} onConfirm={settle}>
        <Button size="small" loading={settling}>
          {say('settle')}
        </Button>
      </Popconfirm>
    </Flex>
  );
}
