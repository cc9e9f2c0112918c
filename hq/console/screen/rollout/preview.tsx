import { Alert, Flex, Typography } from 'antd';
import { Fault } from '../../page/fault.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { number } from '../../word/number.ts';
import { useSiteName } from '../site/name.tsx';
import { type PreviewRequest, usePreview } from './queries.ts';
import { words } from './words.ts';

/** Names that one line has at most. */
const NAMED = 8;

/** What a rollout comes to before it is begun: how many sites in each wave, and which of them are in none. */
export function Preview({ asked }: { asked: PreviewRequest | null }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const nameOf = useSiteName();
  const { data, error } = usePreview(asked);
  if (asked === null) return null;
  if (error) return <Fault error={error} />;
  if (!data) return null;
  const count = (value: number) => number(value, language);
  const list = (instances: readonly string[]): string =>
    instances
      .slice(0, NAMED)
      .map(nameOf)
      .join(language === 'zh' ? '、' : ', ') + (instances.length > NAMED ? ` ${say('previewMore')}` : '');
  const { already, unable, held } = data;
  return (
    <Flex vertical gap="small" role="status">
      <Typography.Text strong>{say('preview')}</Typography.Text>
      {data.sites === 0 && <span>{say('previewNone')}</span>}
      {data.waves.map(({ sites, names }, at) => (
        <div key={at}>
          {say('previewWave', { no: at + 1, sites: count(sites) })}{' '}
          <span className="quiet">
            {list(names)}
            {sites > names.length && names.length <= NAMED && ` ${say('previewMore')}`}
          </span>
        </div>
      ))}
      {already > 0 && <span className="quiet">{say('already', { count: count(already) })}</span>}
      {unable.length > 0 && <Alert type="info" showIcon title={say('unable', { names: list(unable) })} />}
      {held.length > 0 && <Alert type="warning" showIcon title={say('held', { names: list(held) })} />}
    </Flex>
  );
}
