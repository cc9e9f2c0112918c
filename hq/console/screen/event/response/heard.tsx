import { CheckCircleFilled, ClockCircleFilled, CloseCircleFilled } from '@ant-design/icons';
import { Card, Flex, Tag } from 'antd';
import type { ReactNode } from 'react';
import { AsOf } from '../../../page/fault.tsx';
import { Time } from '../../../time/time.tsx';
import { useLanguage, useWords } from '../../../word/language.tsx';
import { useCameraFault } from '../../camera/fault.ts';
import { useSiteName } from '../../site/name.tsx';
import { type CameraMessage, useJudged } from '../judge/judgements.ts';
import type { Event, Timeline } from '../queries.ts';
import { heardWords } from './heard-words.ts';

const STATES: Record<
  CameraMessage['state'],
  { color: string; icon: ReactNode; word: 'heard' | 'waits' | 'failed' }
> = {
  delivered: { color: 'success', icon: <CheckCircleFilled />, word: 'heard' },
  pending: { color: 'processing', icon: <ClockCircleFilled />, word: 'waits' },
  expired: { color: 'error', icon: <CloseCircleFilled />, word: 'failed' },
};

/** What waits to go down to the site, or was refused there: the camera hears of it later, or never. */
const TO_SITE: ReadonlySet<string> = new Set(['decisions', 'site_orders']);

/** Whether the camera heard of what was decided: of each message whether it did, waits, or failed and why. */
export function Heard({ event, timeline }: { event: Event; timeline: Timeline }) {
  const say = useWords(heardWords);
  const { language } = useLanguage();
  const judged = useJudged(event.id);
  const messages = judged.data?.feedback ?? [];
  const toSite = [...timeline.steps, ...timeline.undated].filter(({ source }) => TO_SITE.has(source.table));
  return (
    <Card size="small" title={say('camera')}>
      <AsOf query={judged} />
      <Flex vertical gap="small">
        {toSite.map(({ source, text, textZh }) => (
          <div key={`${source.table} ${source.key}`} className="wrap">
            {language === 'zh' ? textZh : text}
          </div>
        ))}
        {messages.map((message) => (
          <Message key={`${message.kind} ${message.at}`} message={message} site={event.instance} />
        ))}
        {judged.data && messages.length + toSite.length === 0 && <Untold event={event} />}
      </Flex>
    </Card>
  );
}

function Message({
  message: { kind, state, error, at, deliveredAt },
  site,
}: {
  message: CameraMessage;
  site: string;
}) {
  const say = useWords(heardWords);
  const why = useCameraFault();
  const { color, icon, word } = STATES[state];
  return (
    <Flex gap="small" wrap align="center">
      <span>{say(kind)}</span>
      <Tag color={color} icon={icon}>
        {say(word)}
      </Tag>
      <span className="quiet">
        <Time at={deliveredAt ?? at} site={site} />
      </span>
      {state !== 'delivered' && error !== null && <bdi className="wrap quiet">{why(error)}</bdi>}
    </Flex>
  );
}

/** Where nobody has told the camera anything, and no site has said that it did. */
function Untold({ event: { verdict, feedbackUrl, instance } }: { event: Event }) {
  const say = useWords(heardWords);
  const siteName = useSiteName();
  if (feedbackUrl === undefined) return <span className="quiet">{say('noAddress')}</span>;
  if (verdict === null) return <span className="quiet">{say('nothingToTell')}</span>;
  return <span>{say('notSaid', { site: siteName(instance) })}</span>;
}
