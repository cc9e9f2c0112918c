import { Alert, Card, Flex, Tag } from 'antd';
import { timeNow } from '../../api/clock.ts';
import { Command } from '../../page/command.tsx';
import { AsOf } from '../../page/fault.tsx';
import { Time } from '../../time/time.tsx';
import { useLanguage, useWords } from '../../word/language.tsx';
import { bytes, number } from '../../word/number.ts';
import { useLastBackup } from './queries.ts';
import { words } from './words.ts';

const COMMAND = 'sudo fieldline-hq backup /backup/fieldline-hq-$(date +%F).tar.zst';
/** After as many one should be made again. */
const OLD_DAYS = 7;
const DAY_MS = 86_400_000;

/** When headquarters was last copied, and whether the copy is whole. */
export function Backup() {
  const say = useWords(words);
  const query = useLastBackup();
  const { data } = query;
  const old = data ? timeNow() - Date.parse(data.at) > OLD_DAYS * DAY_MS : false;
  return (
    <Card size="small" title={say('backup')}>
      <Flex vertical gap="small">
        <AsOf query={query} />
        {data && <Made backup={data} />}
        {(data === null || old) && (
          <Alert
            type="warning"
            showIcon
            title={data === null ? say('backupNone') : say('backupOld', { days: OLD_DAYS })}
            description={<Command text={COMMAND} />}
          />
        )}
      </Flex>
    </Card>
  );
}

type LastBackup = NonNullable<ReturnType<typeof useLastBackup>['data']>;

export function Made({ backup: { at, verified, ...made }, site }: { backup: LastBackup; site?: string }) {
  const say = useWords(words);
  const { language } = useLanguage();
  const size = bytes(made.bytes, language);
  return (
    <Flex gap="small" wrap align="center">
      <Time at={at} {...(site === undefined ? {} : { site })} ago />
      <span className="quiet">
        {made.events === null
          ? say('backupSize', { size })
          : say('backupLine', { size, events: number(made.events, language) })}
      </span>
      <Tag color={verified ? 'success' : 'error'}>{say(verified ? 'backupWhole' : 'backupUnsure')}</Tag>
    </Flex>
  );
}
