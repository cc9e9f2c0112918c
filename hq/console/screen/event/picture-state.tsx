import { Progress, Tag } from 'antd';
import { Time } from '../../time/time.tsx';
import type { Language } from '../../word/catalogue.ts';
import { useWords } from '../../word/language.tsx';
import { bytes } from '../../word/number.ts';
import { detailWords } from './detail-words.ts';
import type { Far } from './evidence.ts';

const COLORS: Partial<Record<Far['state'], string>> = {
  stored: 'success',
  arriving: 'processing',
  asked: 'processing',
  awaited: 'processing',
  failed: 'error',
};

/**
 * Where a file stands, in words.
 * @param size bytes of the whole
 * @param brief without times and reasons
 */
export function PictureState({
  far: { state, bytes: come, reason, askedAt, deletedAt, instance },
  size,
  brief = false,
  language,
}: {
  far: Far;
  size: number;
  brief?: boolean;
  language: Language;
}) {
  const say = useWords(detailWords);
  const percent = size === 0 ? 0 : Math.floor((100 * come) / size);
  const at = deletedAt ?? (state === 'asked' || state === 'awaited' ? askedAt : null);
  return (
    <div className="picture-state">
      <Tag color={COLORS[state]}>
        {say(state)}
        {state === 'arriving' && ` ${percent} %`}
      </Tag>
      {!brief && (
        <>
          {state === 'arriving' && (
            <>
              <Progress percent={percent} size="small" aria-label={say('arriving')} />
              <span className="quiet">
                {bytes(come, language)} / {bytes(size, language)}
              </span>
            </>
          )}
          <div className="quiet">
            {instance} {at !== null && <Time at={at} site={instance} />}
          </div>
          {reason !== null && <div className="quiet">{reason}</div>}
        </>
      )}
    </div>
  );
}
