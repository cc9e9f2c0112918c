import { Button, Empty } from 'antd';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

/**
 * Why a list is empty.
 * @param none what it means that there is nothing
 * @param clear takes the filters out; absent when none is set
 */
export function Nothing({ none, clear }: { none?: string; clear?: (() => void) | undefined }) {
  const say = useWords(words);
  return (
    <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={clear ? say('filtered') : (none ?? say('none'))}>
      {clear && <Button onClick={clear}>{say('clearFilters')}</Button>}
    </Empty>
  );
}
