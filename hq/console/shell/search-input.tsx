import { SearchOutlined } from '@ant-design/icons';
import { Input, type InputProps } from 'antd';
import { useWords } from '../word/language.tsx';
import { words } from './words.ts';

/** The box for a search, also inside of what offers places, which gives it what else it needs. */
export function SearchInput(given: InputProps) {
  const say = useWords(words);
  return (
    <Input
      prefix={<SearchOutlined />}
      suffix={<kbd className="keys">/</kbd>}
      placeholder={say('search')}
      aria-label={say('searchLabel')}
      maxLength={200}
      {...given}
    />
  );
}
