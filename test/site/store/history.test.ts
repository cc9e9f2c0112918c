// When each camera was last heard, by the key that it came with.
import { expect, test } from 'vitest';
import { MOST_CAMERAS_OF_NODE } from '../../../site/status/port.ts';
import { anEvent, openStore } from './support.ts';

test('cameras behind one key are counted apart before and after the history is written, and bounded', async () => {
  const store = await openStore();
  const post = async (cameraRef: string, n: number) => {
    const event = anEvent(`${cameraRef}-${n}`);
    const doc = JSON.stringify({ ...(JSON.parse(event.doc) as object), cameraRef });
    await store.events.ingest([{ ...event, nodeKey: 'box', doc }], 1);
  };
  for (const [index, ref] of ['gate-1', 'gate-2', 'gate-2'].entries()) await post(ref, index);
  const seen = () =>
    store.history.cameras().map(({ keyId, cameraRef, events }) => [keyId, cameraRef, events]);
  const both = [
    ['box', 'gate-1', 1],
    ['box', 'gate-2', 2],
  ];
  expect(seen().toSorted()).toEqual(both);
  await store.history.note({ at: 0, backlog: 0, room: null }, 0);
  expect(seen().toSorted()).toEqual(both);
  await post('gate-1', 3);
  expect(seen()).toContainEqual(['box', 'gate-1', 2]);
  for (let index = 0; index < MOST_CAMERAS_OF_NODE + 10; index += 1) await post(`made-up-${index}`, index);
  await store.history.note({ at: 1, backlog: 0, room: null }, 0);
  expect(seen()).toHaveLength(MOST_CAMERAS_OF_NODE);
});
