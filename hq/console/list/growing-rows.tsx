import { ArrowUpOutlined } from '@ant-design/icons';
import { Button, Flex } from 'antd';
import { words } from '../page/words.ts';
import { useWords } from '../word/language.tsx';

/** Above a list: how many rows came since, shown when they are asked for. */
export function NewRows({
  list: { fresh, showFresh },
}: {
  list: { fresh?: { count: number; more: boolean }; showFresh?: () => unknown };
}) {
  const say = useWords(words);
  if (!fresh || !showFresh) return null;
  const count = `${fresh.count}${fresh.more ? '+' : ''}`;
  return (
    <Flex justify="center" role="status">
      {fresh.count > 0 && (
        <Button
          shape="round"
          type="primary"
          size="small"
          icon={<ArrowUpOutlined />}
          onClick={() => void showFresh()}
        >
          {say('fresh', { count })}
        </Button>
      )}
    </Flex>
  );
}

/** Below a list: the next rows. */
export function MoreRows({
  list: { hasMore, loadMore, loadingMore = false },
}: {
  list: { hasMore?: boolean; loadMore?: () => void; loadingMore?: boolean };
}) {
  const say = useWords(words);
  if (!hasMore || !loadMore) return null;
  return (
    <Flex justify="center">
      <Button onClick={loadMore} loading={loadingMore}>
        {say('loadMore')}
      </Button>
    </Flex>
  );
}
