import { DeleteOutlined, VideoCameraOutlined } from '@ant-design/icons';
import { AutoComplete, Button, Flex, Input } from 'antd';
import { type KeyboardEvent, type PointerEvent, useRef, useState } from 'react';
import { answerOf, api } from '../../api/client.ts';
import { useAct } from '../../page/act.ts';
import { useWords } from '../../word/language.tsx';
import { cameraNamesKey } from '../camera/name.tsx';
import { at, Sheet } from './drawing.tsx';
import { moved, pointOn } from './place.ts';
import { type Pin, type Plan, PLANS } from './queries.ts';
import { words } from './words.ts';

/**
 * Places the cameras of a plan.
 * @param known cameras of the site, as their events name them
 */
export function Arrange({ plan, known, close }: { plan: Plan; known: readonly string[]; close: () => void }) {
  const say = useWords(words);
  const [pins, setPins] = useState<readonly Pin[]>(plan.pins);
  const [placing, place] = useState<string | null>(null);
  const change = (cameraRef: string, next: Partial<Pin>): void =>
    setPins((now) => now.map((pin) => (pin.cameraRef === cameraRef ? { ...pin, ...next } : pin)));
  const save = useSave(plan, close);
  return (
    <Flex vertical gap="middle">
      <span className="page-under">
        {placing ? say('placing', { camera: placing }) : say('arrangeMeans')}
      </span>
      <Board
        plan={plan}
        pins={pins}
        placing={placing !== null}
        put={(point) => {
          if (placing === null) return;
          setPins((now) => [...now, { cameraRef: placing, name: null, ...point }]);
          place(null);
        }}
        move={(cameraRef, point) => change(cameraRef, point)}
      />
      <NextCamera known={known} placed={pins} choose={place} />
      <Placed
        pins={pins}
        rename={(cameraRef, name) => change(cameraRef, { name: name === '' ? null : name })}
        takeOff={(cameraRef) => setPins((now) => now.filter((pin) => pin.cameraRef !== cameraRef))}
      />
      <Flex gap="small">
        <Button type="primary" loading={save.pending} onClick={() => save.run(pins)}>
          {say('save')}
        </Button>
        <Button onClick={close}>{say('cancel')}</Button>
      </Flex>
    </Flex>
  );
}

function useSave({ id, name, updatedAt, pins: known }: Plan, close: () => void) {
  const before = new Map(known.map((pin) => [pin.cameraRef, pin.name]));
  const say = useWords(words);
  return useAct({
    act: (pins: readonly Pin[]) =>
      answerOf(
        api.PUT('/api/core/plans/{id}', {
          params: { path: { id }, query: { seen_at: updatedAt } },
          body: {
            name,
            pins: pins.map(({ cameraRef, name: called, x, y }) => ({
              ...{ x, y, camera_ref: cameraRef },
              // What others named meanwhile is not written over.
              ...(called !== before.get(cameraRef) && { name: called?.trim() ? called : null }),
            })),
          },
        }),
      ),
    changes: [PLANS, cameraNamesKey],
    done: () => say('saved'),
    then: close,
  });
}

type Point = Pick<Pin, 'x' | 'y'>;

/** The picture on which cameras are put and moved, by pointer and by keys. */
function Board({
  plan,
  pins,
  placing,
  put,
  move,
}: {
  plan: Plan;
  pins: readonly Pin[];
  placing: boolean;
  put: (point: Point) => void;
  move: (cameraRef: string, point: Point) => void;
}) {
  const sheet = useRef<HTMLDivElement>(null);
  const where = ({ clientX, clientY }: PointerEvent): Point | null =>
    sheet.current && pointOn(sheet.current.getBoundingClientRect(), clientX, clientY);
  const drag = (event: PointerEvent, cameraRef: string): void => {
    const point = event.currentTarget.hasPointerCapture(event.pointerId) ? where(event) : null;
    if (point) move(cameraRef, point);
  };
  const byKey = (event: KeyboardEvent, pin: Pin): void => {
    const point = moved(pin, event.key);
    if (!point) return;
    event.preventDefault();
    move(pin.cameraRef, point);
  };
  return (
    <Sheet plan={plan} ref={sheet} className={placing ? 'plan-sheet plan-placing' : 'plan-sheet'}>
      {pins.map((pin) => (
        <button
          key={pin.cameraRef}
          type="button"
          className="plan-pin plan-moved"
          style={at(pin)}
          aria-label={pin.name ?? pin.cameraRef}
          title={pin.name ?? pin.cameraRef}
          onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
          onPointerMove={(event) => drag(event, pin.cameraRef)}
          onKeyDown={(event) => byKey(event, pin)}
        >
          <VideoCameraOutlined />
        </button>
      ))}
      {placing && (
        <div
          className="plan-target"
          onPointerUp={(event) => {
            const point = where(event);
            if (point) put(point);
          }}
        />
      )}
    </Sheet>
  );
}

/** Which camera is placed next: one that is known, or any that is typed. */
function NextCamera({
  known,
  placed,
  choose,
}: {
  known: readonly string[];
  placed: readonly Pin[];
  choose: (cameraRef: string) => void;
}) {
  const say = useWords(words);
  const [typed, type] = useState('');
  const taken = new Set(placed.map(({ cameraRef }) => cameraRef));
  const next = typed.trim();
  return (
    <Flex gap="small" wrap>
      <AutoComplete
        className="filter-choice"
        value={typed}
        onChange={(text: string) => type(text)}
        options={known.filter((one) => !taken.has(one)).map((value) => ({ value }))}
        showSearch={{ filterOption: (text, option) => option?.value.includes(text) ?? false }}
        placeholder={say('camera')}
        aria-label={say('camera')}
        maxLength={128}
      />
      <Button
        disabled={next === '' || taken.has(next)}
        onClick={() => {
          choose(next);
          type('');
        }}
      >
        {say('place')}
      </Button>
    </Flex>
  );
}

function Placed({
  pins,
  rename,
  takeOff,
}: {
  pins: readonly Pin[];
  rename: (cameraRef: string, name: string) => void;
  takeOff: (cameraRef: string) => void;
}) {
  const say = useWords(words);
  if (pins.length === 0) return null;
  return (
    <ul className="lines" aria-label={say('placed')}>
      {pins.map(({ cameraRef, name }) => (
        <li key={cameraRef}>
          <Flex gap="small" align="center" wrap>
            <bdi className="plan-ref">{cameraRef}</bdi>
            <Input
              className="plan-name"
              value={name ?? ''}
              placeholder={say('cameraName')}
              aria-label={`${say('cameraName')}: ${cameraRef}`}
              maxLength={128}
              onChange={({ target }) => rename(cameraRef, target.value)}
            />
            <Button
              icon={<DeleteOutlined />}
              aria-label={say('takeOff', { camera: cameraRef })}
              title={say('takeOff', { camera: cameraRef })}
              onClick={() => takeOff(cameraRef)}
            />
          </Flex>
        </li>
      ))}
    </ul>
  );
}
