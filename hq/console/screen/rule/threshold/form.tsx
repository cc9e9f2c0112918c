import { InputNumber, Skeleton } from 'antd';
import { AsOf } from '../../../page/fault.tsx';
import { useWords } from '../../../word/language.tsx';
import { Member, useMember } from '../member.tsx';
import { type Threshold, useThresholds } from '../queries.ts';
import { thresholdWords } from './words.ts';

/** Each threshold with its range; what is left empty stays as it is. */
export function ThresholdForm({ tenant }: { tenant: string }) {
  const query = useThresholds(tenant.trim());
  return (
    <>
      <div className="form-wide">
        <AsOf query={query} />
        {query.isFetching && !query.data && <Skeleton active />}
      </div>
      {query.data?.items.map((one) => (
        <Amount key={one.name} threshold={one} />
      ))}
    </>
  );
}

function Amount({ threshold: { name, value, minimum, maximum, whole, unit } }: { threshold: Threshold }) {
  const say = useWords(thresholdWords);
  const { value: typed, set } = useMember(name);
  const known = name as keyof typeof thresholdWords;
  return (
    <Member
      path={name}
      label={known in thresholdWords ? say(known as 'judge_min_conf') : name}
      extra={say('formHint', { minimum, maximum, value })}
    >
      <InputNumber
        id={`rule-${name}`}
        className="form-full"
        placeholder={String(value)}
        step={whole ? 1 : 0.05}
        {...(unit === null ? {} : { suffix: say('seconds') })}
        value={typeof typed === 'number' ? typed : null}
        onChange={(next) => set(next ?? undefined)}
      />
    </Member>
  );
}
