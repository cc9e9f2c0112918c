import { Button, Flex, Spin } from 'antd';
import { useEffect, useState } from 'react';
import { useTimeText } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { PAGE, type useEvents } from './queries.ts';
import { words } from './words.ts';

/**
 * How far a search for words has looked. It goes on by itself until a page of rows is found or all has been
 * looked at, and a person may stop it.
 */
export function Searched({ list }: { list: ReturnType<typeof useEvents> }) {
  const say = useWords(words);
  const text = useTimeText();
  const { language } = useLanguage();
  const { searchedTo, rows, hasMore, pages, loadingMore, moreFailed, loadMore } = list;
  const [wanted, want] = useState(PAGE);
  const [stopped, stop] = useState(false);
  const goesOn = hasMore && !stopped && !moreFailed && rows.length < wanted;
  useEffect(() => {
    if (goesOn && !loadingMore) loadMore();
  }, [goesOn, loadingMore, loadMore]);
  const further = (): void => {
    want(rows.length + PAGE);
    stop(false);
    loadMore();
  };
  if (pages.data === undefined) return null;
  const count = number(rows.length, language);
  const said =
    hasMore && searchedTo
      ? say(goesOn ? 'searching' : 'searchedTo', { time: text.full(searchedTo), count })
      : say('searchedAll', { count });
  return (
    <Flex gap="small" wrap align="center" role="status">
      {goesOn && <Spin size="small" />}
      <span>{said}</span>
      {hasMore &&
        (goesOn ? (
          <Button size="small" onClick={() => stop(true)}>
            {say('searchStop')}
          </Button>
        ) : (
          <Button size="small" onClick={further} loading={loadingMore}>
            {say('searchOn')}
          </Button>
        ))}
    </Flex>
  );
}
