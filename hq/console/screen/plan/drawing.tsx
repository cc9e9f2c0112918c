import { VideoCameraOutlined } from '@ant-design/icons';
import { Link } from '@tanstack/react-router';
import { Tooltip } from 'antd';
import type { ReactNode, Ref } from 'react';
import { useWords } from '../../word/language.tsx';
import { words as eventWords } from '../event/words.ts';
import type { Lit } from './lit.ts';
import { pictureOf, type Pin, type Plan } from './queries.ts';
import { words } from './words.ts';

/** Where something stands on the picture. */
export const at = ({ x, y }: Pick<Pin, 'x' | 'y'>) => ({ left: `${x * 100}%`, top: `${y * 100}%` });

/** The picture, with what stands on it. */
export function Sheet({
  plan,
  children,
  ref,
  className = 'plan-sheet',
}: {
  plan: Plan;
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
  className?: string;
}) {
  const say = useWords(words);
  return (
    <div className={className} ref={ref}>
      <img src={pictureOf(plan)} alt={say('picture', { name: plan.name })} draggable={false} />
      {children}
    </div>
  );
}

/**
 * A plan with its cameras: those with alerts that wait light up, and lead to the gravest of them.
 * @param whole whether all that waits was looked at, so that a camera without a light has nothing that waits
 */
export function Drawing({ plan, lit, whole }: { plan: Plan; lit: ReadonlyMap<string, Lit>; whole: boolean }) {
  return (
    <Sheet plan={plan}>
      {plan.pins.map((pin) => (
        <Camera key={pin.cameraRef} pin={pin} plan={plan} lit={lit.get(pin.cameraRef)} whole={whole} />
      ))}
    </Sheet>
  );
}

function Camera({ pin, plan, lit, whole }: { pin: Pin; plan: Plan; lit: Lit | undefined; whole: boolean }) {
  const say = useWords(words);
  const sayEvent = useWords(eventWords);
  const camera = pin.name ?? pin.cameraRef;
  const label = lit
    ? say('lit', { camera, count: lit.count, severity: sayEvent(lit.severity) })
    : say(whole ? 'quiet' : 'unknown', { camera });
  const shown = {
    className: lit ? `plan-pin plan-lit plan-${lit.severity}` : 'plan-pin',
    style: at(pin),
    'aria-label': label,
  };
  const inside = lit ? lit.count : <VideoCameraOutlined />;
  return (
    <Tooltip title={label}>
      {lit ? (
        <Link to="/events/$id" params={{ id: String(lit.eventId) }} {...shown}>
          {inside}
        </Link>
      ) : (
        <Link to="/events" search={{ site: plan.instance, camera: pin.cameraRef }} {...shown}>
          {inside}
        </Link>
      )}
    </Tooltip>
  );
}
